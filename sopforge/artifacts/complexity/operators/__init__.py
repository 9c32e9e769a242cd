"""Contains the complexity operators, one file each."""
