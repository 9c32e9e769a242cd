"""Briefs of many pages, reported before they are sent: not every model reads so much at once."""

from __future__ import annotations

from sopforge.authors.providers.budget import BYTES_PER_TOKEN
from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.reading import Brief

# What a question of ours holds beside the brief, and its answer, fit twice into what is left of the
# 200,000 tokens that most models read.
MOST_TOKENS = 60_000


def check_brief_length(brief: Brief) -> list[Finding]:
    """Return a warning for a brief that, with its draft, may be more than the model reads.

    Tokens are counted from above, as for the budget.
    """
    tokens = sum(len(text.encode()) for text in (brief.text, brief.draft)) // BYTES_PER_TOKEN
    if tokens <= MOST_TOKENS:
        return []
    message = (
        f"the brief and its draft have up to {tokens:,} tokens, all of which are sent to"
        f" '{brief.parts.writer.model}'"
    )
    hint = (
        "name a model that reads this many tokens, or remove from the draft what is not part of"
        " the procedure"
    )
    return [make_warning_finding("brief-long", message, where=brief.document.source, hint=hint)]
