"""Turns the SOP into a handbook, in which agents must find the documents that apply."""
