"""What the gold calls of a task are for: their order, those that nothing needs, what decided."""
