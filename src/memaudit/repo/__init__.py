"""Git, read-only: ranges, snapshots, changes, history, definitions and text search."""
