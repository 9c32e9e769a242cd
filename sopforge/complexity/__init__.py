"""Complexity levels: what makes a domain harder, and leaves its answers alone."""
