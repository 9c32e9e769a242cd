"""Defines the readings of an expression, one file each, and the fold that they share."""
