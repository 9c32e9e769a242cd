"""Puts cases into a register among near-duplicates, where agents must find the right one."""
