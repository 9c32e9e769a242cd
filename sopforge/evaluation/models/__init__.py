"""Language models as agents: they are given an SOP and a task, and run on inspect."""
