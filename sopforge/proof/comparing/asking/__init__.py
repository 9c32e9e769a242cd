"""Writes a question about each difference: a plain case, and what each reading decides."""
