"""What a field is built of: its labels and clauses, and the words that carry a fact."""
