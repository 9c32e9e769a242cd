"""Decides whether two lines say the same in different words."""
