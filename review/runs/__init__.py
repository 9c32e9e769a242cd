"""Starts the runs that continue or publish a domain after a decision."""
