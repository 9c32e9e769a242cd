"""The trade of a procedure: its roles, systems and papers, and what an office of it has."""
