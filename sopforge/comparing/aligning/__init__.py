"""What is the same fact or answer in two readings: matched by words and types, or stated."""
