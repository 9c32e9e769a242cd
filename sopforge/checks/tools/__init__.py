"""Checks of the tools' code, which run it in the sandbox."""
