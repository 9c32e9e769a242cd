"""Checks the code of the tools by running it in the sandbox."""
