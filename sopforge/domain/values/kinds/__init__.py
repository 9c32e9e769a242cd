"""Defines each type of values in a module of its own: how it is written, read, bounded and called."""
