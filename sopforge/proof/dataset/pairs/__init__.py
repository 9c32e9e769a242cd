"""Pairs each refused case with the nearest accepted one, which differs in one value."""
