"""Packages served to clients of the Model Context Protocol, a session for each of them."""
