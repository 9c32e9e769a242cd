"""A store over the years: what is damaged, and what nothing needs any more."""
