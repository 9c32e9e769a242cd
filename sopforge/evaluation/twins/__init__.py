"""Twins: a package again with one rule changed, and whether agents follow the change."""
