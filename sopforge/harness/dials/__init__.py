"""Puts layers around a domain's cases, and measures which ability of agents each layer tests."""
