"""Questions about all rows at once, answered by a solver: a row, a proof, or undecided."""
