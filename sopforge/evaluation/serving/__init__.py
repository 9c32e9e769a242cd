"""Serves packages to clients of the Model Context Protocol, with a session for each client."""
