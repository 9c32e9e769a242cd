"""Pools from which operators draw what is true of any trade."""
