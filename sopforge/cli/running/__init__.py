"""Runs that commands start: one or several, interrupted, ended, gone on with."""
