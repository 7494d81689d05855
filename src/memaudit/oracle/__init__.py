"""The oracle: the check that a claim carries, run in throw-away copies of base and of head."""
