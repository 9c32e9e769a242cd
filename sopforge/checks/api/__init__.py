"""Checks of the API and of the tool descriptions made from it."""
