"""Memory on disk: which stores there are, how they split into claims, how they are written back."""
