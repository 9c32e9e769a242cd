"""Reads published packages and scores agents on them."""
