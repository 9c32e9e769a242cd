"""What a package says of how hard it is: the ratings of persons, and what agents score on it."""
