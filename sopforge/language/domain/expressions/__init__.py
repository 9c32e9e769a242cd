"""Defines the language of rules: the expression tree, its operators and their types."""
