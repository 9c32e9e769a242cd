"""Reports to listeners how much of the work is done, and how long the rest takes."""
