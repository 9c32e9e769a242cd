"""Holds the language of procedures: the model of a domain, its expressions and their English."""
