"""Idioms, verbs, brackets and units: how a person would phrase an expression."""
