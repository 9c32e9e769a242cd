"""Complexity operators: each makes a domain harder at one level and leaves every answer alone."""
