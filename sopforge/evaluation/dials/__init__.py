"""Dials on packages: layers made from what is right, and put around the environment."""
