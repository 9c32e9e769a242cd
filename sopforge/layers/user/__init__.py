"""The user: a layer in which whoever sent a case is asked for what it does not state."""
