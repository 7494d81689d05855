"""Reports for the board, one module each."""
