"""Adapters of model providers, one file each, and how their endpoints fail."""
