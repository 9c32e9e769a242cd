"""Renders the API of a model, and the tool descriptions made from it."""
