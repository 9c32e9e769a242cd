"""Stores write-once versions of artifacts, and the decisions that people made about them."""
