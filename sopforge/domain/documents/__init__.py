"""Briefs and domain documents: YAML, its shape, and the places of faults in it."""
