"""Adds rules, steps and parts to a model: the procedure gets harder, and its answers change."""
