"""Proves what a model decides, compares models, and finds the tasks that show each mistake."""
