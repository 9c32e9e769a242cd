"""Interprets the expressions of a model: one expression tree, several readings."""
