"""Asks a language model to read an SOP, and compares what it understands with the model."""
