"""Writes and reads the English of rules by one table of phrases."""
