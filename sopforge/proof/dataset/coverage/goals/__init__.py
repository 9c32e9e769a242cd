"""Lists the coverage goals of a model, one module per kind; goals.py combines the kinds."""
