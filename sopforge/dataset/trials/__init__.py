"""Calls on which tools are tried, right ones and wrong ones."""
