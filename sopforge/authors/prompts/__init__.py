"""Builds prompts from checked template files, and fences text that comes from users."""
