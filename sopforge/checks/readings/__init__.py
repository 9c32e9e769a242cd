"""Checks that people have settled each case that readers of the brief decide differently."""
