"""Search for worlds that break bounds, and shrinking of what it finds."""
