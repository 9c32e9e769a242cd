"""The parts of which tools modules are made: each definition here stands in those that need it."""
