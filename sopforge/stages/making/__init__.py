"""The files of those stages that take time to load and to make."""
