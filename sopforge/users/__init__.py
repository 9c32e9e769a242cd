"""Simulated users: deterministic, made of acts, of which their words are a rendering."""
