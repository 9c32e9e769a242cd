"""What a language model writes for each stage, and how it is corrected."""
