"""Reads published packages as SOP-Bench does, and scores agents on them."""
