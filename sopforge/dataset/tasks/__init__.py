"""Tasks as files: their texts, split, trajectories, records and profile."""
