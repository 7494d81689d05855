"""memaudit: given this change, does this one claim of the agent's memory still hold?"""

__version__ = "0.1.0"
