"""Takes a brief through the stages and their gates to a release."""
