"""Reads, stores and changes briefs: patches, variants, new context and answers."""
