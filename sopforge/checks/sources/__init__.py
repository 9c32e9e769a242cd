"""Checks that the model and its brief agree: quotations, figures and labels."""
