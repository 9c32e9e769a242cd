"""How a case is found in the register, as a section of the SOP, and read back from one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sopforge.harness.layers.text.sections import UnreadableTextError, find_section
from sopforge.language.domain.model import DomainModel

TITLE = "How a case is found in the register"
_SEARCH = re.compile(
    r"^(\w+) searches the register: it takes the name of one entry \(entry\) and its value"
    r" \(value\), and returns how many rows have it \(found\) and the first (\d+) of them"
    r" \(rows\)\.$",
    re.MULTILINE,
)
_COLUMNS = re.compile(
    r"^Each row has the .+ \((\w+)\) of a case and these entries: (.+)\.$", re.MULTILINE
)
_ALL = re.compile(r"^- The row of a case is the one in which all entries .+ agree", re.MULTILINE)


_START = "To be taken from the register: "


@dataclass(frozen=True, slots=True)
class SearchRules:
    """What searches the register, how many rows it returns at most, and what these have."""

    tool: str
    limit: int
    key: str
    entries: Sequence[str]


def write_search(
    model: DomainModel, rules: SearchRules, *, has_further: bool, has_queue: bool
) -> Iterator[str]:
    """Yield what an SOP says of the register, line by line.

    Where tasks leave out ``has_further`` entries than the key, it says so.
    """
    key = model.fields[rules.key].label
    further = ", at times with another entry" if has_further else ""
    yield (
        f"A task may leave out the {key} ({rules.key}) of its case{further}; it says at its end"
        " what is to be taken from the register of cases. Find the row of the case there before the"
        " first step, and use what is to be taken from it as if the task stated it. This goes"
        " before what the document says elsewhere of what a task states."
    )
    yield (
        f"{rules.tool} searches the register: it takes the name of one entry (entry) and its value"
        " (value), and returns how many rows have it (found) and the first"
        f" {rules.limit} of them (rows)."
    )
    yield (
        f"Each row has the {key} ({rules.key}) of a case and these entries:"
        f" {', '.join(rules.entries)}."
    )
    yield "The register has many cases, and some of them are much alike:"
    yield (
        "- The row of a case is the one in which all entries that the task states and the register"
        " has agree with the task. There is just one."
    )
    yield (
        "- A row in which a single entry differs, be it by one letter, one day or the smallest"
        " amount, is that of another case. Neither task nor register is mistaken."
    )
    yield "- Where a search finds more rows than it returns, search by another entry as well."
    if has_queue:
        yield (
            "The same holds for each further case of a session. A correction names its case, which"
            " is not looked for again; the register does not show what was corrected."
        )


def read_search(sop: str) -> SearchRules:
    """Return how a case is found, as an SOP states it.

    Raises:
        UnreadableTextError: a rule is missing.
    """
    section = find_section(sop, TITLE) or ""
    search, columns = _SEARCH.search(section), _COLUMNS.search(section)
    if search is None or columns is None or not _ALL.search(section):
        raise UnreadableTextError("it is not stated how a case is found in the register")
    return SearchRules(search[1], int(search[2]), columns[1], tuple(columns[2].split(", ")))


def write_left_out(model: DomainModel, names: Iterable[str]) -> str:
    """Return the line at the end of a task that says what it leaves out."""
    parts = [f"the {model.fields[name].label} ({name})" for name in names]
    return f"\n\n{_START}{' and '.join(parts)}."


def read_left_out(text: str) -> list[str]:
    """Return the entries that a task leaves out, as it says itself; none where it says nothing."""
    line = next((line for line in text.split("\n") if line.startswith(_START)), "")
    return re.findall(r"\((\w+)\)(?: and|\.$)", line)
