"""What an agent believes: which rules it masters, and which mistakes explain its answers."""
