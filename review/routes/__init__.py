"""Handles the addresses of the app: one module for each thing that people do."""
