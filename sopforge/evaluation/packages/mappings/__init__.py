"""Describes the columns of packages that others published: one file per package name."""
