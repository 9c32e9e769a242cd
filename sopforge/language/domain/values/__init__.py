"""Defines the types of values, and the texts that values are drawn from."""
