"""Checks artifacts: one file per check, each with a spoiled artifact that it must reject."""
