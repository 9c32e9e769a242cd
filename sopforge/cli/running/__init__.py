"""Carries out the runs that commands start, reports how they end, and resumes them."""
