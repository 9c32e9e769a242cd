"""Edits by hand, which later versions keep."""
