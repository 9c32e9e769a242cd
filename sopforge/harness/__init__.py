"""Runs sessions of agents on packages, with dials and users, and grades what was done."""
