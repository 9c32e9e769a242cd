"""Checks the domain model, for example for uncovered cases and reads of missing values."""
