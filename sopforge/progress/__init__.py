"""Where work is, for whoever listens: how much of it is done, and how long the rest takes."""
