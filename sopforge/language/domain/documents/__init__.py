"""Reads briefs and domain documents from YAML, checks their shape and locates their faults."""
