"""Binds tools, as agents call them about any record, to the records that steps hand them."""
