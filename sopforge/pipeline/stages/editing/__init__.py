"""Keeps the edits that people made by hand, and merges them into later versions."""
