"""Seals the deciding records of a domain by their digests, to detect changes."""
