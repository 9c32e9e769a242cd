"""Renders the SOP of a model as text, and derives facts such as its length from that text."""
