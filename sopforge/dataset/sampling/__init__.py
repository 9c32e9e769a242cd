"""Rows drawn from the model's weights and ranges, and which may become tasks."""
