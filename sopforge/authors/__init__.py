"""Whoever writes artifacts: each author implements one protocol."""
