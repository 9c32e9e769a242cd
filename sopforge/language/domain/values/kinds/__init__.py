"""Defines each type of values in a module: how it is written, read, bounded and called."""
