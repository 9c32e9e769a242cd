"""Defines the typed model of a business procedure, and reads it from documents."""
