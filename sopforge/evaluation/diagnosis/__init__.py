"""Infers from an agent's answers which rules it masters, and which mistakes explain the others."""
