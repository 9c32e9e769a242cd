"""Audits anybody's packages in SOP-Bench's layout: one file per kind of evidence."""
