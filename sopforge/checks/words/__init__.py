"""Lists the words and characters by which checks judge text."""
