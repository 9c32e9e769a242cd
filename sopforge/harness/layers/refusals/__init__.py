"""Adds requests that agents must refuse, each paired with the nearest feasible one."""
