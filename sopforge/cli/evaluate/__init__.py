"""Commands that run agents on packages and report how they did."""
