"""Figures over rows of runs: summaries of each agent on each package, as tables and texts."""
