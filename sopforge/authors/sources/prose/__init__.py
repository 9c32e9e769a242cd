"""Reads the prose of a brief: its sentences, their quantities and stems."""
