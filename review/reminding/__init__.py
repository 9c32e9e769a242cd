"""Reminders of what waits for a decision: what is overdue, who is told, and what was told."""
