"""Mutants: models with one mistake of a closed list, and where each shows."""
