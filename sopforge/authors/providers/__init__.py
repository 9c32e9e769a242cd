"""Sends requests to language models through one protocol, and records, pays for and logs them.

Importing the package loads no vendor's library; the adapters do, each its own.
"""
