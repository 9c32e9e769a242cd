"""Changes of a document as a language model gives them: replacements, all of them or none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sopforge.authors.writers.repair import Ask
from sopforge.findings import (
    Finding,
    make_error_finding,
    make_note_finding,
    make_warning_finding,
)

_FENCE = re.compile(r"^```[^\n`]*\n(.*?)(?:\n```|\Z)", re.DOTALL | re.MULTILINE)
_ONE_OF_TWO = "give replacements, or the whole document and no replacement"
_ONCE = "give enough of the lines around it that it stands exactly once, word for word"


@dataclass(frozen=True, slots=True)
class Patched:
    """A document after an answer, why it was refused, if it was, and what it says it left out."""

    text: str
    refused: tuple[Finding, ...] = ()
    not_applied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changing:
    """Has a language model change documents, and notes what it did not do."""

    ask: Ask
    notes: list[Finding] = field(default_factory=list)

    def edit_document(self, values: Mapping[str, object], document: str, where: str) -> str:
        """Return a document as reviewers want it."""
        answer = self._change("edit_document", values, document, where)
        self.notes.extend(
            make_warning_finding(
                "feedback-not-applied",
                f"the author did not carry out this request: {text}",
                where=where,
                hint="reword the request, or edit the file yourself with sopforge edit",
            )
            for text in answer.not_applied
        )
        return answer.text

    def repair_document(self, values: Mapping[str, object], document: str, where: str) -> str:
        """Return a document with what was found in it corrected."""
        answer = self._change("repair_findings", values, document, where)
        self.notes.extend(
            make_note_finding("finding-not-corrected", text, where=where)
            for text in answer.not_applied
        )
        return answer.text

    def _change(
        self, template: str, values: Mapping[str, object], document: str, where: str
    ) -> Patched:
        answer = apply_answer(document, self.ask(template, values), where)
        self.notes.extend(answer.refused)
        return answer


def strip_fence(text: str) -> str:
    """Return a document without what models like to put around one: a fence, a mark, a ruler."""
    plain = text.replace("\r\n", "\n").lstrip("\ufeff")
    found = _FENCE.findall(plain)
    # Of several fenced blocks nobody knows which is the document: it is read as it is, and refused.
    body = found[0] if len(found) == 1 else plain
    return body.strip("\n").removeprefix("---\n") + "\n"


def apply_answer(document: str, answer: Mapping[str, Any], where: str) -> Patched:
    r"""Return the document as an answer changes it; as it was where any of that is refused.

    >>> one = {"find": "days: 3", "replace": "days: 4"}
    >>> apply_answer("days: 3\n", {"replacements": [one], "document": ""}, "domain.yaml").text
    'days: 4\n'
    """
    left_out = tuple(filter(str.strip, answer.get("not_applied", ())))
    return replace(_apply_changes(document, answer, where), not_applied=left_out)


def _apply_changes(document: str, answer: Mapping[str, Any], where: str) -> Patched:
    replacements: Sequence[Mapping[str, str]] = answer.get("replacements", ())
    if answer.get("document", "").strip():
        if not replacements:
            return Patched(strip_fence(answer["document"]))
        return Patched(document, (_make_finding(where, "both are given", "", _ONE_OF_TWO),))
    refused = [
        _make_finding(where, _count_places(document, item["find"]), item["find"], _ONCE)
        for item in replacements
        if document.count(item["find"]) != 1 or not item["find"].strip()
    ]
    if refused:
        return Patched(document, tuple(refused))
    return _replace_all(document, replacements, where)


def _replace_all(document: str, replacements: Sequence[Mapping[str, str]], where: str) -> Patched:
    """Return the document with parts replaced, each of which stands once; they may not overlap."""
    done, parts = 0, list[str]()
    for item in sorted(replacements, key=lambda item: document.index(item["find"])):
        start = document.index(item["find"])
        if start < done:
            message = "it overlaps with another replacement"
            return Patched(document, (_make_finding(where, message, item["find"], _ONCE),))
        parts += [document[done:start], item["replace"]]
        done = start + len(item["find"])
    return Patched("".join([*parts, document[done:]]))


def _count_places(document: str, find: str) -> str:
    if not find.strip():
        return "one has no text to find"
    count = document.count(find)
    return f"its text stands {count} times in the document" if count else "its text stands nowhere"


def _make_finding(where: str, message: str, evidence: str, hint: str) -> Finding:
    return make_error_finding(
        "replacement-refused",
        f"none of the replacements was made: {message}",
        where=where,
        evidence=evidence,
        hint=hint,
    )
