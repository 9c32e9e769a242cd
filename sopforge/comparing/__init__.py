"""Two readings of one brief compared: what each decides otherwise, as questions to an expert."""
