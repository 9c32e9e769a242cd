"""Commands that show where domains stand, and what they hold."""
