"""Compares two readings of a brief, and turns their differences into questions for an expert."""
