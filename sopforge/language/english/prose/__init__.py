"""English that no grammar reads: sentences of people, and what they keep however worded."""
