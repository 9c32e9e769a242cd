"""Checks of the SOP: it states all of the model, and decides nothing besides."""
