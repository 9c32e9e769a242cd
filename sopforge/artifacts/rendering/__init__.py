"""Renders the model as text: the SOP, the API, the toolspecs and the tools module."""
