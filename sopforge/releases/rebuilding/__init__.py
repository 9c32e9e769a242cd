"""A package made again from what it says of itself, and compared byte for byte."""
