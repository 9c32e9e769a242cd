"""What changed between two states of a domain: words, rules, cases, tasks and interface."""
