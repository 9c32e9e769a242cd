"""Measures how hard a level with dials is, and which ability of agents each layer tests."""
