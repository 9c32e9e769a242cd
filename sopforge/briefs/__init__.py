"""Briefs: as files, as kept in the store, patched, in variants, and with new context."""
