"""Examines a model over all rows, for example for rules that never decide."""
