"""Complexity operators, one file each."""
