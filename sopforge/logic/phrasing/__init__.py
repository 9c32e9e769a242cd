"""Chooses how people would phrase an expression: idioms, verbs, brackets and units."""
