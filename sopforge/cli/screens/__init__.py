"""Formats what commands print: tables, progress and live views."""
