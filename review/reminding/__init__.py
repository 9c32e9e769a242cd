"""Reminds people of overdue decisions, and records which reminders were sent."""
