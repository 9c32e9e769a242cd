"""Drawn graphs: the flow chart of a procedure, and where its boxes stand."""
