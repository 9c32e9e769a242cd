"""Texts of APIs and toolspecs: those derived from the model, and summaries that decide nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sopforge.artifacts.rendering.api.arguments import (
    iterate_operations,
    read_api,
    resolve_references,
)
from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.api.summaries import OF_TOOL, OF_WHOLE
from sopforge.checks.spoiling import Parsed
from sopforge.checks.words.bans import AddedText, check_added_text
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.model import DomainModel

LONGEST = 200
"""So many characters a summary has at most."""
_TEXTS = frozenset({"summary", "description", "message"})


def check_texts(
    model: DomainModel, written: Parsed, derived: Parsed, where: str
) -> Iterator[Finding]:
    """Report texts of a document that are not derived, and what its summaries say too much."""
    texts, known = dict(_iterate_texts(written)), dict(_iterate_texts(derived))
    facts = _collect_facts(model)
    for place in dict.fromkeys([*texts, *known]):
        text, before = texts.get(place, ""), known.get(place, "")
        if text != before and place in facts and text.endswith(before):
            summary = text.removesuffix(before).strip()
            said = AddedText(model, summary, LONGEST, facts[place])
            yield from check_added_text(said, f"{place}: the summary", where)
        elif text != before:
            yield _make_difference_finding(place, text, before, where)


def _make_difference_finding(place: str, text: str, before: str, where: str) -> Finding:
    said, wanted = text or "(nothing)", before or "(nothing)"
    return make_error_finding(
        "described-differs",
        f"{place}: the text is not the one that follows from the model",
        where=where,
        evidence=f"it says:\n{said}\nfrom the model follows:\n{wanted}",
        hint="restore the text; your own words may stand in a summary, others follow the model",
    )


def _iterate_texts(document: Parsed, place: str = "") -> Iterator[tuple[str, str]]:
    """Return the texts of a document by their places: operations by name, not by path."""
    match document:
        case dict():
            # What an operation leads to has its id as well.
            is_operation = {"operationId", "responses"} <= document.keys()
            inner = str(document["operationId"]) if is_operation else place
            for name, part in document.items():
                at = f"{inner}, {name}" if inner else str(name)
                if name in _TEXTS and isinstance(part, str):
                    yield at, part
                elif name != "example":
                    yield from _iterate_texts(part, at)
        case list():
            for number, part in enumerate(document):
                yield from _iterate_texts(*_name_entry(part, place, number))
        case _:
            pass


def _name_entry(part: Parsed, place: str, number: int) -> tuple[Parsed, str]:
    match part:
        case {"toolSpec": {"name": str(name)} as spec}:
            return spec, name
        case {"name": str(name)}:
            return part, f"{place}, {name}"
        case _:
            return part, f"{place}, {number}"


def _collect_facts(model: DomainModel) -> Mapping[str, str]:
    """Return what is derived of the API and of each tool, by the places of their summaries.

    Of a tool it is what it is for, takes and answers; why it refuses, no summary says.
    """
    document = read_api(render_openapi(model, {}))
    found = {f"info, {OF_WHOLE}": " ".join(_iterate_words(document["info"]))}
    for operation in resolve_references(document, list(iterate_operations(document))):
        answered = {**operation, "responses": operation["responses"]["200"]}
        place = f"{operation['operationId']}, {OF_TOOL}"
        found[place] = " ".join(_iterate_words(answered))
    return found


def _iterate_words(part: Parsed) -> Iterator[str]:
    """Yield the texts and numbers of a part of a document, without what it links to."""
    match part:
        case dict():
            for name, inner in part.items():
                yield from _iterate_words(inner) if name != "links" else ()
        case list():
            for inner in part:
                yield from _iterate_words(inner)
        case _:
            yield str(part)
