"""Ambiguity: a layer in which passages of the SOP ask for a careful reader."""
