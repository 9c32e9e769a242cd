"""Compares figures, limits and labels of a passage with the model items that cite it."""
