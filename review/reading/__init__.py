"""Reads from the store what the pages show."""
