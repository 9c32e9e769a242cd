"""Seals: the digest of every file of a domain that decides something."""
