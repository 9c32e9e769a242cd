"""Grades what an agent did on one task, independently of all other attempts."""
