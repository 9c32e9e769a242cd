"""Commands that turn a brief into an approved domain."""
