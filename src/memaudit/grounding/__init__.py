"""From the words of a claim to facts of the repository, one file a kind of reference."""
