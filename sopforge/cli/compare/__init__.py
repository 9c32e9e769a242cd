"""Commands that compare: runs on the same tasks or on two draws, and readings of one brief."""
