"""Commands that run agents on packages."""
