"""What gives a verdict. Each judge sees only what the ones before it left open."""
