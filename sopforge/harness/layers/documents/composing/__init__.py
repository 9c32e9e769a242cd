"""Composes handbooks from pieces of the SOP and from documents that do not apply."""
