"""Whether two lines say the same, in whatever words."""
