"""Makes rules, values and remarks of the trade of a procedure, for use by complexity operators."""
