"""Schema: the words of a brief are English, as those are that SOPForge writes around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.documents.yaml_documents import Plain, read_document
from sopforge.morphology import is_known_word
from sopforge.workspace import DOMAIN, Workspace

_SAID = frozenset(
    {
        *("title", "business_task", "task_context", "guidelines", "context"),
        *("description", "meaning", "label", "instruction", "says", "yes", "no"),
    }
)
"""The keys of what people read; labels of cases may be names from anywhere."""
# Shorter words are often abbreviations, or occur in several languages.
_WORD = re.compile(r"[^\W\d_]{4,}")
_FEWEST, _SHOWN = 8, 3
# Of the words of English briefs the dictionary has more than 4 in 5, of others at most 1 in 3.
_LEAST_SHARE = 0.6


class BriefLanguage:
    """The words of a brief are English."""

    name = "brief-language"
    stage = "schema"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        return find_other_language(read_document(workspace.files[DOMAIN], DOMAIN).value)

    def spoil(self, workspace: Workspace) -> Workspace:
        """Say what the business does in more words of no language than the rest has words."""
        size = len(workspace.files[DOMAIN].split())

        def add_other_words(document: Parsed) -> None:
            document["business_task"] = "Quorbel zimtar " * size

        return edit_yaml(workspace, DOMAIN, add_other_words)


def find_other_language(document: Plain) -> list[Finding]:
    """Return a warning where most words of a brief or a domain are in no English dictionary."""
    words = [word for text in _iterate_said(document) for word in _WORD.findall(text)]
    others = [word for word in words if not is_known_word(word)]
    if len(words) < _FEWEST or len(others) <= (1 - _LEAST_SHARE) * len(words):
        return []
    shown = ", ".join(f"'{word}'" for word, _ in Counter(others).most_common(_SHOWN))
    return [
        make_warning_finding(
            "brief-not-english",
            f"{len(others)} of the {len(words)} longer words of the brief are not English, such as"
            f" {shown}; SOPForge writes SOPs in English, and what 'like' invents is American",
            where="business_task",
            hint="translate the texts of the brief into English; only the values of fields can stay"
            " in another language",
        )
    ]


def _iterate_said(value: Plain, *, is_said: bool = False) -> Iterator[str]:
    """Return the texts of a document that people read."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _iterate_said(part, is_said=name in _SAID)
    elif isinstance(value, list):
        for part in value:
            yield from _iterate_said(part, is_said=is_said)
    elif isinstance(value, str) and is_said:
        yield value


CHECK = BriefLanguage()
