"""Describes how hard a package is: ratings by people and language models, and measurements."""
