"""What prose says that can be held against a model: quantities, limits, labels, what binds."""
