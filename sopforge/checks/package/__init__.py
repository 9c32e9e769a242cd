"""Checks of published packages."""
