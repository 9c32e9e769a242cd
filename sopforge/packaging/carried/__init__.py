"""Contains the modules that packages carry unchanged: environment, layers and scorer."""
