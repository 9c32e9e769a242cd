"""Reads the statements of an SOP or of a part of one: each as what its words mean, in its place.

What a line can be follows from where it stands: a rule under the sentence that names its field, a
row under the heads of its columns. A line that the grammar does not read states nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sopforge.artifacts.rendering.sop.document import Statement, Style, split_table_row
from sopforge.artifacts.rendering.sop.references import References
from sopforge.artifacts.rendering.sop.sections.tables import CONDITION, read_row
from sopforge.language.domain.values.types import ListType, SetType
from sopforge.language.english.terms import Term
from sopforge.language.english.words import Words

_SENTENCES = (
    *("opening", "choose", "decide", "asbefore", "edge", "onlyedge", "end", "effect", "session"),
)
_ENTRIES = ("definition", "check", "table", "calculate", "annex", "answer")
_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})


@dataclass
class _SopPlace:
    """What stands before a line: the sentence that opens its list, and the heads of its table."""

    opening: Statement | None = None
    columns: tuple[str, ...] = ()


def read_statements(
    words: Words, references: References, statements: Iterable[Statement]
) -> Iterator[Statement]:
    """Yield statements with what they mean; what can mean nothing, or two things, has no term."""
    place = _SopPlace()
    for item in statements:
        read = _read(words, replace(item, text=references.read(item.text)), place)
        if item.style in {*_HEADINGS, Style.PARAGRAPH}:
            place.opening = read if read.kind == "opening" else None
            place.columns = ()
        elif read.kind in {"table", "calculate"}:
            place.opening, place.columns = read, ()
        elif read.kind == "header":
            place.columns = read.term[1:] if read.term else ()
        yield replace(read, text=item.text)


def _read(words: Words, item: Statement, place: _SopPlace) -> Statement:
    if item.style in _HEADINGS:
        return item
    if item.style is Style.ROW:
        return _read_row(words, item, place)
    opening = place.opening
    kinds: tuple[str, ...] = _SENTENCES
    if item.style is Style.BULLET:
        kinds = _ENTRIES
        if opening is not None and opening.kind == "opening" and opening.term is not None:
            is_set = _holds_several(words, opening.term[-1])
            kinds = ("setrule" if is_set else "rule", "answer", "counted")
    found = {(kind, term) for kind in kinds for term in words.english.read(kind, item.text)}
    # Of one meaning, it does not matter by which kind of words it is said.
    terms = {term for _, term in found}
    if len(terms) != 1:
        return item
    kind = next(kind for kind in kinds if (kind, *terms) in {(x, y) for x, y in found})
    return replace(item, kind=kind, term=next(iter(terms)))


def _read_row(words: Words, item: Statement, place: _SopPlace) -> Statement:
    opening = place.opening
    if opening is None or opening.term is None or opening.kind not in {"opening", "table"}:
        return item
    if not place.columns:
        columns = _read_columns(words, split_table_row(item.text), opening.term)
        term: Term = ("columns", *columns)
        return replace(item, kind="header", term=term) if columns else item
    kinds = _name_kinds(words, place.columns, opening.term)
    found = read_row(words.english, kinds, item.text)
    return replace(item, kind="row", term=next(iter(found))) if len(found) == 1 else item


def _name_kinds(words: Words, columns: Sequence[str], opening: Term) -> list[tuple[str, ...]]:
    """Return what kinds of words the cells of a row may be."""
    targets = opening[2:]
    asked = columns[: len(columns) - len(targets)]
    kind = "condition" if asked == (CONDITION,) else "onlycell" if len(asked) == 1 else "cell"
    kind = "entered" if opening[0] == "looks" else kind
    given = ["listed" if _holds_several(words, target) else "given" for target in targets]
    return [(x,) for x in (*([kind] * len(asked)), *given)]


def _holds_several(words: Words, target: Term) -> bool:
    return isinstance(words.forms.find_type(target), SetType | ListType)


def _read_columns(words: Words, cells: Sequence[str], opening: Term) -> tuple[str, ...]:
    """Return the fields of a table's columns, () where its heads name none."""
    targets = [x[1] for x in opening[2:]]
    fields = words.forms.fields
    asked: list[str] = []
    for cell in cells[: len(cells) - len(targets)]:
        named = [name for name, item in fields.items() if item.label == cell]
        if cell == CONDITION and not named:
            asked.append(CONDITION)
        elif len(named) == 1:
            asked += named
        else:
            return ()
    ends = [fields[name].label for name in targets if name in fields]
    return (*asked, *targets) if list(cells[len(asked) :]) == ends else ()
