"""Runs of a domain: what one would do, one run, and what starts the next."""
