"""Keeps the audit log of a domain: decisions, edits and yanks."""
