"""Mappings of packages that others published, by the name in their metadata: facts on columns."""
