"""Makes copies of a model in which some expressions are replaced."""
