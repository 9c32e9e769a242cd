"""What handbooks are composed of: the text in pieces, and what stands beside it."""
