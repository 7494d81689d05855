"""The lending desk of a tool library."""
