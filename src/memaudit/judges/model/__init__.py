"""The model judge: what the cheaper judges leave open is asked of a language model, one claim a question.

Nothing here is imported, and nothing leaves the machine, before a person has switched it on.
"""

NAME = "model"
"""The judge as verdicts name it."""
