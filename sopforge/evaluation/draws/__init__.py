"""Draws: tasks of a package without end, for training and for tests that cannot leak."""
