"""Searches for rows that meet a condition, starting from sampled ones."""
