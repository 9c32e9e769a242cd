"""Finds the roles, systems and papers of a procedure's trade, which operators write about."""
