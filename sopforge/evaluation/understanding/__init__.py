"""Reports which clauses of an SOP an agent has understood, and which it misreads."""
