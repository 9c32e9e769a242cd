"""The rules that a tools module is read by, by theme; each rule is one entry of a table."""
