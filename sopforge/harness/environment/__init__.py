"""Runs every package as one deterministic state machine that answers an agent's calls."""
