"""Makes rules that change nothing, and rules of earlier editions, from the rules of a model."""
