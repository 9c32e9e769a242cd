"""Makes the files of the slow stages: dataset, complexity levels and tools."""
