"""What an agent did on one task, graded: figures that depend on nothing else."""
