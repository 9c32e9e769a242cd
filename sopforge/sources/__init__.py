"""Which passage of a brief each item of a model comes from, and whether the two say the same."""
