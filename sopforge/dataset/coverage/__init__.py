"""Coverage goals, the rows that show them, and what became of each goal."""
