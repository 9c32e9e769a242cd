"""Finds rows that show each coverage goal, and reports what became of each goal."""
