"""What the agents of runs have understood: mastery and diagnosis, with the clauses of the SOP."""
