"""Checks of where a model comes from: the quotations, figures, limits and labels of its brief."""
