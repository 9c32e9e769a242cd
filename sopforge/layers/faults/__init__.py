"""Tools that fail: a layer whose faults the SOP says how to recover from."""
