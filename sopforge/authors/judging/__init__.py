"""Finds cases on both sides of what an item decides, and compares what others say of them."""
