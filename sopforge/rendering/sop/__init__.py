"""The SOP of a model as text, and what can be read off that text."""
