"""What an SOP says once all that it says indirectly is worked out, statement for statement.

A pointer leads to a part of the last section, in which a rule stands; a limit that a rule names has
its figure in a section of its own. What the text has beside its rules is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.limits import find_limits
from sopforge.artifacts.rendering.sop.reading import read_statements
from sopforge.artifacts.rendering.sop.references import References
from sopforge.language.english.forms import Forms
from sopforge.language.english.terms import Term, map_parts
from sopforge.language.english.vocabulary import LIMITS_SECTION
from sopforge.language.english.words import Words

RULES_SECTION = "Particular cases"
_ADDED = (RULES_SECTION, LIMITS_SECTION)


def read_plainly(
    words: Words, references: References, statements: Sequence[Statement]
) -> list[Statement]:
    """Return the statements of a text as they are meant, without its last sections.

    ``words`` are those of its domain. A pointer that leads to no rule with its result, and a name
    of a limit without a figure, are not read.
    """
    limits = find_limits(words.fields, statements)
    known = words.with_limits(limits)
    read = [
        replace(item, term=item.term and put_in_limits(item.term, known.forms))
        for item in read_statements(known, references, statements)
    ]
    parts = _index_parts(read)
    return [
        replace(item, term=item.term and resolve_term(item, parts))
        for item in without_last_sections(read)
    ]


def resolve_term(item: Statement, parts: Mapping[str, Statement]) -> Term | None:
    """Return what a statement says once pointers are followed."""
    seen = set[str]()
    term = item.term
    while term is not None and term[0] == "points":
        _, part, result = term
        meant = parts.get(part)
        if part in seen or meant is None or meant.term is None:
            return None
        seen.add(part)
        term = _follow(meant.term, result, item.kind)
    return term


def _follow(term: Term, result: Term, kind: str) -> Term | None:
    """Return the statement of a part in the place of a pointer with a result."""
    match term:
        case ("points", part, inner):
            said = inner[2] if inner[0] == "sets" and kind != "answer" else inner
            return ("points", part, result) if said == result else None
        case ("answers", asked, ("sets", _, value)) if kind != "answer" and value == result:
            return ("rule", value, asked)
        case ("answers", _, given) if given == result:
            return term
        case ("goes", _, step) if step == result:
            return term
    return None


def put_in_limits(term: Term, forms: Forms) -> Term:
    """Return a term with the figure of each limit in the place of its name."""
    if term[0] == "limit":
        return forms.limits[term[1]]
    changed = map_parts(term, lambda part: put_in_limits(part, forms))
    return term if changed == term else forms.make(*changed) or changed


def _index_parts(statements: Sequence[Statement]) -> dict[str, Statement]:
    """Return the statement of each part of the last section, by the part's number."""
    found: dict[str, Statement] = {}
    section = ""
    for heading, item in pairwise(statements):
        if heading.style is Style.SECTION:
            section = heading.text.partition(". ")[2]
        elif heading.style is Style.STEP and section == RULES_SECTION:
            found[heading.text.partition(" ")[0]] = item
    return found


def without_last_sections(statements: Iterable[Statement]) -> list[Statement]:
    """Return the statements without the sections that levels have put after all others."""
    kept, is_added = [], False
    for item in statements:
        if item.style is Style.SECTION:
            is_added = item.text.partition(". ")[2] in _ADDED
        if not is_added:
            kept.append(item)
    return kept
