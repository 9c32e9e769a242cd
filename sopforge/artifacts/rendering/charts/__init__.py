"""Draws the flow chart of a procedure, and computes where its boxes go."""
