"""The texts in which people send a case: each names every input of the case once."""

from __future__ import annotations

import re

SLOT = re.compile(r"\{(\w+)\}")
"""Where a text of a request has an input."""
