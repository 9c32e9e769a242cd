"""Rewords passages of the SOP so that careless readers misread them."""
