"""Writes the files of a package in its layout, and the text files that exporters add."""
