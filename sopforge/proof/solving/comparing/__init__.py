"""Compares models: what two of them make of every case, and one with others on the same rows."""
