"""The database of the desk."""
