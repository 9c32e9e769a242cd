"""Builds packages with one rule changed (twins), and tests whether agents follow the change."""
