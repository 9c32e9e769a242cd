"""Draws unlimited new tasks of a package, for training and for tests that cannot leak."""
