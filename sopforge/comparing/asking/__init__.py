"""Questions made of differences: a plain case, what decides it in each reading, and the words."""
