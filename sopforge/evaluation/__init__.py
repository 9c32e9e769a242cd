"""Agents are run on packages, and what they did is graded and counted."""
