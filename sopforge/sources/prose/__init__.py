"""What prose says that can be compared with a model: quantities, limits, labels, what binds."""
