"""Defines the rules by which SOPForge lints a tools module, grouped by theme."""
