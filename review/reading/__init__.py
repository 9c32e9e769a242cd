"""What pages show, read from the store."""
