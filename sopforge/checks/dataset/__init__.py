"""Checks the tasks, their labels and their records."""
