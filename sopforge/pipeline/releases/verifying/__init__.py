"""Verifies a release or package for people who have only its files."""
