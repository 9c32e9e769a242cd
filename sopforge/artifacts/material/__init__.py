"""Sifts what an author wrote for the levels of one domain, for use by complexity operators."""
