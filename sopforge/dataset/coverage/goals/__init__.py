"""The goals of a model, a module for each kind; ``goals.py`` puts the kinds together."""
