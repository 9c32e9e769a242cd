"""Verifying a release: what a stranger can find out who has its files, and what needs more."""
