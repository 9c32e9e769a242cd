"""Renders the sections of the SOP and the sentences in them."""
