"""Seals: the digest of every record of a domain that decides something."""
