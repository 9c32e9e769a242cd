"""Samples rows, labels them with the model, and chooses tasks that meet the coverage goals."""
