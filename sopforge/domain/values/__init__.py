"""Value types, and the texts that values of a type are drawn from."""
