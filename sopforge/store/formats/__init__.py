"""Recognises the format of a store, and migrates older formats step by step."""
