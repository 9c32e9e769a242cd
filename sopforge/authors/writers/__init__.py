"""Writes artifacts: the offline author and the language model author share one protocol."""
