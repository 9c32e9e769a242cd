"""Lists what changed between two states of a domain, and what follows for cases and callers."""
