"""Checks the API and the tool descriptions made from it."""
