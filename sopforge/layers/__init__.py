"""Layers around the environment of a package, each of which makes its tasks harder by a dose."""
