"""Renders the tools module of a model as Python source, and its tests."""
