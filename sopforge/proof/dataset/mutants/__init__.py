"""Makes mutants, which are models with one typical mistake, and finds where each shows."""
