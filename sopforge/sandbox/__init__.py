"""Runs generated tools in confined processes, as if the tools were hostile."""
