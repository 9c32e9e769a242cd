"""Rebuilds a package from its own brief, and compares the files byte for byte."""
