"""Checks of the domain model."""
