"""One deterministic state machine by which every package is run."""
