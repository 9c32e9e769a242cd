"""Simulates users: a deterministic script of acts determines what each user says."""
