"""Asks a solver questions about all possible rows; it finds a row or a proof, or gives up."""
