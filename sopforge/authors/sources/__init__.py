"""Finds the passages of the brief that items of a model cite, and compares figures and labels."""
