"""Who may see and do what: users, sessions, forms that were not forged, and what is refused."""
