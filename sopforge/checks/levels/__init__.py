"""Checks of the complexity levels: answers stay, and one reading of the text."""
