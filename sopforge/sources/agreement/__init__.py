"""Whether each passage of a brief says what the items say that cite it, and no more."""
