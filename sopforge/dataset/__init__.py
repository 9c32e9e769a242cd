"""Rows are sampled, labelled by the model, and chosen as tasks that meet the coverage goals."""
