"""The words of acts: wordings by act, in a file that a user of SOPForge may replace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from sopforge.errors import Fault, MaterialError
from sopforge.harness.users.acts import ActKind
from sopforge.language.domain.documents.schema_terms import Strict
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import Document, read_document
from sopforge.store.digests import digest_value

LABEL, CAPITAL, VALUE, BEFORE, TOPIC, TASK = "label", "Label", "value", "before", "topic", "task"
SLOTS: Mapping[ActKind, frozenset[str]] = {
    ActKind.REQUEST: frozenset({TASK}),
    ActKind.STATE: frozenset({LABEL, VALUE}),
    ActKind.DISCLOSE: frozenset({LABEL, VALUE}),
    ActKind.UNKNOWN: frozenset({LABEL}),
    ActKind.CHANGE: frozenset({LABEL, VALUE, BEFORE}),
    ActKind.CLAIM: frozenset({LABEL, VALUE}),
    ActKind.WRITE: frozenset({TOPIC}),
    ActKind.SKIP: frozenset({TOPIC}),
    ActKind.SECRET: frozenset({LABEL}),
    ActKind.INSIST: frozenset(),
    ActKind.CLOSE: frozenset(),
}
"""What stands in the words of each act; a label may be written with a capital."""
_SLOT = re.compile(r"\{(\w*)\}")
Wording: TypeAlias = Annotated[str, Field(min_length=1, max_length=500)]


class WordsDocument(Strict):
    """A file of words: wordings by act."""

    format: Literal[1]
    acts: Mapping[ActKind, Annotated[tuple[Wording, ...], Field(min_length=1)]]


@dataclass(frozen=True, slots=True)
class Template:
    """A wording in parts, texts and slots in turn, and where it stands in its file."""

    parts: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class Words:
    """The wordings of all acts, and a digest of them."""

    templates: Mapping[ActKind, tuple[Template, ...]]
    digest: str


@cache
def load_words() -> Words:
    """Return the words that SOPForge ships."""
    text = (files("sopforge.harness.users") / "words.yaml").read_text(encoding="utf-8")
    return parse_words(text, "words.yaml")


def read_words(file: Path) -> Words:
    """Return the words of a file.

    Raises:
        MaterialError: it cannot be read, lacks an act, or a wording lacks what its act is about.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        fault = Fault(
            "user-words-unreadable", f"it cannot be read: {cause}", str(file), "name another file"
        )
        raise MaterialError(fault) from cause
    return parse_words(text, str(file))


def parse_words(text: str, source: str) -> Words:
    """Return words from their document; raises as ``read_words``."""
    document = read_document(text, source)
    found = validate(document, WordsDocument)
    faults = [
        Fault(
            "user-words-act-missing",
            f"the file has no words for the act '{kind}'",
            document.locate_part(("acts",)),
            f"add '{kind}:' with a list of wordings",
        )
        for kind in ActKind
        if kind not in found.acts
    ]
    templates = {
        kind: tuple(_split(document, kind, place) for place in range(len(wordings)))
        for kind, wordings in found.acts.items()
    }
    for kind, wordings in templates.items():
        faults += [fault for item in wordings for fault in _find_slot_faults(kind, item)]
    if faults:
        raise MaterialError(*faults)
    plain = {kind: list(wordings) for kind, wordings in found.acts.items()}
    return Words(templates, digest_value(plain))


def _split(document: Document, kind: ActKind, place: int) -> Template:
    path = ("acts", kind.value, place)
    value = document.value
    for part in path:
        value = value[part]  # type: ignore[index] # its shape was checked before
    return Template(tuple(_SLOT.split(str(value))), document.locate_part(path))


def _find_slot_faults(kind: ActKind, template: Template) -> list[Fault]:
    """Return what keeps a wording from being read back: slots that lack, or are none of the act."""
    found = [name.replace(CAPITAL, LABEL) for name in template.parts[1::2]]
    faults: list[tuple[str, str]] = []
    for name in sorted(SLOTS[kind] - set(found)):
        message = f"the words of '{kind}' do not contain {{{name}}}"
        faults.append((message, f"write {{{name}}} where the value belongs"))
    for name in sorted(
        {name for name in found if name not in SLOTS[kind] or found.count(name) > 1}
    ):
        known = ", ".join(f"{{{slot}}}" for slot in sorted(SLOTS[kind])) or "nothing in braces"
        message = f"{{{name}}} is not a slot of '{kind}', or occurs there twice"
        faults.append((message, f"the words of this act need {known}, each exactly once"))
    if any("\n" in part for part in template.parts):
        faults.append(("the words of an act must be on one line", "remove the line break"))
    if any(not text for text in template.parts[2:-1:2]):
        faults.append(("there is no word between two slots", "put words between the two slots"))
    return [
        Fault("user-words-malformed", message, template.where, hint) for message, hint in faults
    ]
