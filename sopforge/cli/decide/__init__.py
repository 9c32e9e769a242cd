"""Commands that decide at a gate."""
