"""Runs of agents on packages: attempts, their rows, and figures over them."""
