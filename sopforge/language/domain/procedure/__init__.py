"""What the graph of a procedure shows: its loops, and what is known where a case arrives."""
