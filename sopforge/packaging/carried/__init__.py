"""The modules that packages carry as they stand here: the environment, and what scores its logs."""
