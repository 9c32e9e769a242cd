"""Whether conditions ask what their passages make a difference of, and no more."""
