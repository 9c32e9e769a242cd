"""Documents and the entry page in words, and read back from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sopforge.harness.layers.documents.document import Document, DocumentStanding, EntryPage, Opened
from sopforge.harness.layers.text.sections import UnreadableTextError, find_section
from sopforge.sandbox.answers import JSON
from sopforge.session.layers import show_document

NUMBER, TITLE, HOLDS, TEXT, LEADS = "number", "title", "holds", "text", "refers_to"
QUERY, HITS, BEGINS = "query", "hits", "begins"
WHERE, BINDS = "Where the procedure stands", "What binds"
_RULE = re.compile(r"A rule of the (?P<owner>.+)\. ")
_PAPER = re.compile(r"A paper of the (?P<owner>.+), for information: it decides no case\. ")
_EDITIONS = {
    DocumentStanding.SUPERSEDED: re.compile(
        r"Edition (?P<edition>\d+), which held from (?P<since>[\d-]+) on, is superseded: document"
        r" (?P<in_force>\d+) has taken its place\.\Z"
    ),
    DocumentStanding.LATER: re.compile(
        r"Edition (?P<edition>\d+) is drawn up for (?P<since>[\d-]+) and does not hold before:"
        r" until then, document (?P<in_force>\d+) holds\.\Z"
    ),
    DocumentStanding.RULE: re.compile(
        r"Edition (?P<edition>\d+) holds from (?P<since>[\d-]+) on\.\Z"
    ),
}
_GOES_ON = re.compile(r"This passage goes on in document (\d+)\.\Z")
_FOLLOWS = re.compile(r"Next comes document (\d+)\.\Z")
_REFERENCE = re.compile(r"(section|step|tool) (\S+)(?: \(.*\))?: document (\d+)\.\Z")
_SHEET = re.compile(r"The (.+) calls (\w+) wherever a document names (\w+)\.")


def write_document(document: Document, titles: Mapping[str, str]) -> Opened:
    """Return a document in words; ``titles`` are those of passages that are referred to."""
    return Opened(
        document.number,
        document.title,
        _describe_standing(document),
        document.text,
        tuple(_iterate_leads(document, titles)),
    )


def make_reply(document: Opened) -> dict[str, JSON]:
    """Return what opening a document is answered."""
    return show_document(asdict(document))


def _describe_standing(document: Document) -> str:
    whose = f"A rule of the {document.owner}."
    if document.standing is DocumentStanding.PAPER:
        whose = f"A paper of the {document.owner}, for information: it decides no case."
    return f"{whose} {_describe_edition(document)}"


def _describe_edition(document: Document) -> str:
    number, day, other = document.edition, document.since, document.in_force
    match document.standing:
        case DocumentStanding.SUPERSEDED:
            return (
                f"Edition {number}, which held from {day} on, is superseded: document {other} has"
                " taken its place."
            )
        case DocumentStanding.LATER:
            return (
                f"Edition {number} is drawn up for {day} and does not hold before: until then,"
                f" document {other} holds."
            )
        case DocumentStanding.RULE | DocumentStanding.PAPER:
            return f"Edition {number} holds from {day} on."


def _iterate_leads(document: Document, titles: Mapping[str, str]) -> Iterator[str]:
    if document.goes_on:
        yield f"This passage goes on in document {document.goes_on}."
    if document.follows:
        yield f"Next comes document {document.follows}."
    for name, number in document.references.items():
        title = f" ({titles[name]})" if titles.get(name) else ""
        yield f"{name}{title}: document {number}."


def read_document(reply: Mapping[str, Any]) -> Document:
    """Return the document that a reply shows, from its words.

    Raises:
        UnreadableTextError: it shows none.
    """
    owner, standing, edition = _read_standing(str(reply.get(HOLDS, "")))
    leads = [str(line) for line in reply.get(LEADS, ())]
    references = [found for line in leads if (found := _REFERENCE.match(line))]
    return Document(
        number=int(reply[NUMBER]),
        title=str(reply[TITLE]),
        owner=owner,
        edition=int(edition["edition"]),
        since=edition["since"],
        lines=tuple(str(reply[TEXT]).split("\n")),
        standing=standing,
        in_force=int(edition.get("in_force", 0)),
        goes_on=_find_number(_GOES_ON, leads),
        follows=_find_number(_FOLLOWS, leads),
        references={f"{found[1]} {found[2]}": int(found[3]) for found in references},
    )


def _read_standing(words: str) -> tuple[str, DocumentStanding, dict[str, str]]:
    paper = _PAPER.match(words)
    found = paper or _RULE.match(words)
    if found is None:
        raise UnreadableTextError(f"this says of no document whose it is: {words}")
    for standing, pattern in _EDITIONS.items():
        if edition := pattern.match(words, found.end()):
            return (
                found["owner"],
                DocumentStanding.PAPER if paper else standing,
                edition.groupdict(),
            )
    raise UnreadableTextError(f"this says of no edition when it holds: {words}")


def _find_number(pattern: re.Pattern[str], lines: Sequence[str]) -> int:
    return next((int(found[1]) for line in lines if (found := pattern.match(line))), 0)


def write_sheet(desk: str, name: str, tool: str) -> str:
    """Return the sentence that says by what name a desk calls a tool."""
    return f"The {desk} calls {name} wherever a document names {tool}."


def read_sheet(document: Document) -> tuple[str, str, str] | None:
    """Return the desk, its name of a tool, and that in documents; None where it is no sheet."""
    found = _SHEET.match(document.text)
    return (found[1], found[2], found[3]) if found else None


def write_entry_page(page: EntryPage, procedure: str, size: int) -> str:
    """Return the page that agents see as SOP: where the handbook is, and what of it binds."""
    return "\n".join(_iterate_page(page, procedure, size)) + "\n"


def _iterate_page(page: EntryPage, procedure: str, size: int) -> Iterator[str]:
    yield f"Handbook of the {page.desk}"
    yield ""
    yield f"1. {WHERE}"
    yield (
        f'The procedure "{procedure}" is a handbook of {size} documents. {page.search} takes words'
        " and returns the documents that fit them best, with their numbers; not all of them bind."
        f" {page.open} takes the number of a document and returns its text, and where it leads."
    )
    yield f"The text of the procedure begins in document {page.first}."
    yield f"The work on a case begins in document {page.start}."
    if page.always:
        numbers = ", ".join(f"document {number}" for number in page.always)
        yield f"What holds for every case, and is to be read before the first one: {numbers}."
    yield (
        "A passage may go on in another document, and one that names another passage says in which"
        ' document that is. "This document", in a text, is all of the handbook that binds.'
    )
    yield (
        "Where the list of tools says of one no more than that a document describes it, read that"
        " document before you call it: a tool may have another name in documents than in the list,"
        " and not each tool of a similar name is for this desk."
    )
    yield ""
    yield f"2. {BINDS}"
    yield f"You work at the {page.desk}, and today is {page.today}, whatever days a case states."
    yield (
        f"A document binds if it says that it is a rule of the {page.desk}, that it holds from"
        " today or an earlier day on, and not that it is superseded. No other decides anything:"
    )
    yield (
        "- A superseded document says which has taken its place. Some references still lead to it:"
        " go on to the one that it names, until you come to one that binds."
    )
    yield "- A document that is drawn up for a later day does not bind before that day."
    yield "- Rules of other desks and papers for information do not bind here."


_SAID = {
    "desk": re.compile(r"^You work at the (.+), and today is ([\d-]+), ", re.MULTILINE),
    "tools": re.compile(r" (\w+) takes words and returns .* (\w+) takes the number of a document"),
    "first": re.compile(r"^The text of the procedure begins in document (\d+)\.$", re.MULTILINE),
    "start": re.compile(r"^The work on a case begins in document (\d+)\.$", re.MULTILINE),
}
_ALWAYS = re.compile(
    r"^What holds for every case, and is to be read before the first one: (.+)\.$", re.MULTILINE
)


def read_entry_page(sop: str) -> EntryPage | None:
    """Return what an entry page says, None where the SOP is none."""
    section = f"{find_section(sop, WHERE) or ''}\n{find_section(sop, BINDS) or ''}"
    found = {name: pattern.search(section) for name, pattern in _SAID.items()}
    desk, tools, first, start = (found[name] for name in ("desk", "tools", "first", "start"))
    if desk is None or tools is None or first is None or start is None:
        return None
    always = _ALWAYS.search(section)
    numbers = tuple(map(int, re.findall(r"\d+", always[1]))) if always else ()
    return EntryPage(desk[1], desk[2], tools[1], tools[2], int(first[1]), int(start[1]), numbers)
