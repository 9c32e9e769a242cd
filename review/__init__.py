"""What a reviewer sees of an artifact at its gate."""
