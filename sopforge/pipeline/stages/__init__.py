"""Defines the stages of the pipeline, one file each, and their order."""
