"""Runs agents on packages, grades what they did and reports the results."""
