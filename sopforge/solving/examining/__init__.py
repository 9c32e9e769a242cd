"""A model examined over all rows at once."""
