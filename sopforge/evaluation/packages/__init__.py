"""Reads the packages that agents are evaluated on, made by SOPForge or by others."""
