"""Checks that people have settled each case that two readings of the brief decide differently."""
