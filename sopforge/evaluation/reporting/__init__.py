"""The report of runs: one page for people, with trajectories beside the gold ones."""
