"""Summarises the rows of runs: figures for each agent on each package, as tables and text."""
