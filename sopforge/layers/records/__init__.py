"""Cases that are found in a register, beside near-duplicates: a layer of distractor records."""
