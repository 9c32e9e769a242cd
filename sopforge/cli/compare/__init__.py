"""Commands that compare two runs, two draws of a package or two readings of a brief."""
