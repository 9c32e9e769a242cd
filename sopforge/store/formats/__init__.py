"""The format of a store, and the steps from one format to the next."""
