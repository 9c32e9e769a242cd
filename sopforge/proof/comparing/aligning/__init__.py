"""Matches the facts and answers of two readings, by equal names or by given ones."""
