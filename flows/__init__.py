"""Prefect flows: thin wrappers of the pipeline, the only place that imports Prefect."""
