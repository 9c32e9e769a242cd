"""Rows that are searched for, from drawn ones on, and rows near to given ones."""
