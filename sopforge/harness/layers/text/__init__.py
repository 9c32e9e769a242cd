"""Reads an SOP by nothing but its words: its passages, its sections and the rules of its steps."""
