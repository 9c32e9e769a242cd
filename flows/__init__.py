"""Runs the pipeline as Prefect flows; only this package imports Prefect."""
