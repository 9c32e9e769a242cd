"""Reminders of what waits for a decision: what is overdue, who is reminded, and what was sent."""
