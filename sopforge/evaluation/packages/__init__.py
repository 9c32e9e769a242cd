"""Packages that agents are evaluated on, of our own and of others."""
