"""Runs agents attempt by attempt, and stores and compares the rows of these attempts."""
