"""Asks a language model to write and correct what each stage needs."""
