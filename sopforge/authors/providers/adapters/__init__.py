"""Connects SOPForge to model providers, one adapter per file, and classifies their failures."""
