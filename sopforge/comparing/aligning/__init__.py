"""What of two readings is the same fact or answer: matched by words and types, or stated in a file."""
