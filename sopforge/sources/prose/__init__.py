"""Extracts from prose what can be compared with a model, such as quantities and limits."""
