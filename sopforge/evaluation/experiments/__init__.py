"""Experiments: one package under several conditions, and what each condition changes."""
