"""Turns a business brief into a published, proved benchmark domain for LLM agents."""
