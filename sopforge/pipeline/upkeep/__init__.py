"""Maintains stores: finds damaged files, and removes files that nothing needs any longer."""
