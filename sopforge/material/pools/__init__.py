"""Offices, services and sentences that any trade has: nothing of a case turns on them."""
