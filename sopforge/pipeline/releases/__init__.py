"""Turns approved domains into numbered releases, and draws, locates and signs releases."""
