"""Models with some of their expressions replaced."""
