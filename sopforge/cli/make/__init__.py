"""Commands that take a brief towards an approved domain."""
