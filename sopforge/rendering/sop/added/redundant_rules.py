"""Redundant rules: rules that read as any other and change nothing where they stand.

An earlier rule of the list takes all their cases, or the rules after them give the same result.
That this is so is proved where the text is read back (``sopforge.checks.sop.redundant_rules``).
"""

REDUNDANT = "redundant"
"""Why such a line states no model item."""
