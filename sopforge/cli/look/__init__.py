"""Commands that show the state of domains, their artifacts and their costs."""
