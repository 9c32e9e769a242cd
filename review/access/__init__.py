"""Controls who may see and do what: users, sessions, limits and protection against forged forms."""
