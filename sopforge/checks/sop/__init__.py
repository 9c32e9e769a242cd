"""Checks that the SOP states everything in the model and decides nothing else."""
