"""One version of a stage, from its order to its gate."""
