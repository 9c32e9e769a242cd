"""Connects agents that SOPForge does not prompt: scripted ones, users' programs and MCP clients."""
