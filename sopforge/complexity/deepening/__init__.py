"""Operators on models: harder procedures with answers of their own, and what they are made of."""
