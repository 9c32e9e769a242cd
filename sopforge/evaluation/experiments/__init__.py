"""Compares agents on one package under several conditions, such as levels."""
