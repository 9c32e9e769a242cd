"""Matches the facts and answers of two readings, by words and types or by given names."""
