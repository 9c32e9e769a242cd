"""Audits of packages in SOP-Bench's layout, whoever made them: one file per kind of evidence."""
