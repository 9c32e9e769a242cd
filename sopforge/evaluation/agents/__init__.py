"""Agents that need no language model of ours."""
