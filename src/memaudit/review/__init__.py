"""One sitting over one store and range: decisions, undo, saving, suggestions."""
