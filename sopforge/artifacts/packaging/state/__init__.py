"""Writes a package with tables as data, so that other programs can run and grade it."""
