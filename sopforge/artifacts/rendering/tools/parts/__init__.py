"""Contains the definitions that are copied into the tools modules that need them."""
