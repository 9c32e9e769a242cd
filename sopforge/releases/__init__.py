"""Approved domains as numbered releases: written, drawn anew, located, signed."""
