"""Runs inside the tool processes: the trusted zygote and its untrusted forks.

Imports the standard library and nothing else of SOPForge but the levels. The rest of SOPForge
imports from here only what names things: which library modules tools may use.
"""
