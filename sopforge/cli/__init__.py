"""The command line: one file per command; heavy libraries are imported when a command runs."""

from sopforge.cli.app import main

__all__ = ["main"]
