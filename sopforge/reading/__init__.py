"""Reads an SOP back into the procedure that it states, from its words alone."""
