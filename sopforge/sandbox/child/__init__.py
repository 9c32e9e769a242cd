"""What runs in the processes of tools: the zygote, which is trusted, and its forks, which are not.

Imports the standard library and nothing else of SOPForge but the levels. The rest of SOPForge
imports from here only what names things: which library modules tools may use.
"""
