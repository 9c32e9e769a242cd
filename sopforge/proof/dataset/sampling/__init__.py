"""Samples rows from the model's weights and ranges, and selects those that may become tasks."""
