"""Shows people what waits at a gate, and records what they decide."""
