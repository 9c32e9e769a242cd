"""Defines the forms in which language models must answer."""
