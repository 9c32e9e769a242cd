"""Compares the facts that conditions ask about with the passages cited for these conditions."""
