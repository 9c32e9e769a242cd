"""Writes what is not derived, offline or with a language model, and compares it with the brief."""
