"""Makes agents enter results on file, and compares all files with the right end state."""
