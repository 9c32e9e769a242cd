"""Cases that are refused, each with its nearest neighbour that is not: one datum apart."""
