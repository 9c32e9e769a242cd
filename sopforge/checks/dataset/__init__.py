"""Checks of the tasks, their labels and their records."""
