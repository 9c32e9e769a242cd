"""Checks that published packages load, score correctly and reveal no answers."""
