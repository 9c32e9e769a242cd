"""Why a statement of an SOP need not state a model item."""

from __future__ import annotations

from sopforge.artifacts.rendering.sop.document import Statement, Style

CONTROL = "control"
"""It is about the document itself."""
DRAFT = "draft"
"""It is the brief's own prose."""
TANGENTIAL = "tangential"
"""It has nothing to do with the decisions."""
MEANING = "meaning"
"""It says what a figure of the rules means."""
OWN_WORDS = "own words"
"""A language model added it; it explains, and never binds."""
LIMIT = "limit"
"""It gives a limit under a name that rules refer to."""
REFERENCE = "reference"
"""It points to a rule that stands elsewhere."""
REDUNDANT = "redundant"
"""It is a rule that changes nothing where it stands, by proof."""
REMINDER = "reminder"
"""It repeats what another passage states."""
SUPERSEDED = "superseded"
"""It is of an earlier edition, and applies to no case."""
SIDE = "side value"
"""It works out or describes a value that nothing looks at."""
DISTRACTOR = "distractor"
"""It describes an entry that no answer depends on."""
ADDED = frozenset({TANGENTIAL, MEANING, OWN_WORDS, REDUNDANT, REMINDER, SUPERSEDED, SIDE})
"""What stands beside the statements of the model."""


def make_own_paragraph(text: str) -> Statement:
    """Return a paragraph of a language model's own."""
    return Statement(Style.PARAGRAPH, text, excused=OWN_WORDS)
