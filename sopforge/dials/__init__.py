"""Dials on a domain: layers made from what is right, and what each asks of an agent."""
