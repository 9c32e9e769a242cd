"""Checks that complexity levels keep all answers, and that their text has only one reading."""
