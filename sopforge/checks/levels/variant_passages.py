"""Complexity: resolved, each level says what the plain SOP says, statement for statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sopforge.artifacts.rendering.sop.alignment import align
from sopforge.artifacts.rendering.sop.document import Statement, read_sop
from sopforge.artifacts.rendering.sop.marks import ADDED
from sopforge.artifacts.rendering.sop.references import find_references
from sopforge.artifacts.rendering.sop.resolving import read_plainly, without_last_sections
from sopforge.checks.levels.variants_keep_answers import STAGE, build_variant_workspace, list_levels
from sopforge.checks.sop.differences import derive_sop
from sopforge.checks.spoiling import edit_text
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding
from sopforge.language.english.terms import drop_names
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace


class VariantPassages:
    """If pointers are followed and limits put in, a level has the statements of the plain SOP."""

    name = "variant-passages"
    stage = STAGE

    def examine(self, workspace: Workspace) -> list[Finding]:
        approved = _find_own_words(workspace)
        return [
            finding
            for level in list_levels(workspace)
            for finding in _check_level(level, approved, build_variant_workspace(workspace, level))
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Turn one comparison round at a level."""
        level = list_levels(workspace)[-1]
        return edit_text(workspace, f"{STAGE}/{level}/{SOP_TEXT}", "at least", "at most ")


@dataclass(frozen=True, slots=True)
class _OwnWords:
    """How people have the plain text: what they worded anew, by what it was, added or left out."""

    anew: Mapping[str, str]
    added: frozenset[str]
    gone: frozenset[str]


def _find_own_words(workspace: Workspace) -> _OwnWords:
    derived = derive_sop(workspace).document.statements
    approved = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE]).statements
    pairs = list(align(derived, approved))
    return _OwnWords(
        {pair.before.text: pair.after.text for pair in pairs if pair.before and pair.after},
        frozenset(pair.after.text for pair in pairs if pair.after and not pair.before),
        frozenset(pair.before.text for pair in pairs if pair.before and not pair.after),
    )


def _check_level(level: str, approved: _OwnWords, harder: Workspace) -> Iterator[Finding]:
    try:
        stored = read_sop(harder.files[SOP_TEXT], harder.files[SOP_TRACE]).statements
    except StoreError as cause:
        yield make_error_finding("sop-trace", str(cause), where=f"{level}, {SOP_TRACE}")
        return
    derived = derive_sop(harder)
    references = find_references(stored, harder.model)
    read = read_plainly(derived.writer.words, references, stored)
    known = zip(read, without_last_sections(stored), strict=True)
    found = [x for x, item in known if not _is_beside(item, approved.added)]
    wanted = [x for x in derived.document.statements if not _is_beside(x, approved.gone)]
    every = {
        f"field {item.name}"
        for item in harder.model.inputs
        if not harder.model.find_kind(item.name)
    }
    for one, other in zip_longest(_sort_inputs(wanted, every), _sort_inputs(found, every)):
        if one is None or other is None or not _says_the_same(one, other, approved.anew):
            evidence = "\n".join(item.text for item in (one, other) if item is not None)
            yield make_error_finding(
                "variant-line",
                f"the text at {level} differs in meaning from the plain text",
                where=f"{level}, {SOP_TEXT}",
                evidence=evidence,
            )
            return


def _is_beside(item: Statement, own: frozenset[str]) -> bool:
    """Return whether a statement stands beside those of the model, or is a person's own matter."""
    return item.excused in ADDED or item.text in own


def _says_the_same(plain: Statement, harder: Statement, anew: Mapping[str, str]) -> bool:
    """Return whether a statement of a level is one of the plain SOP, or has its words there."""
    if plain.term is not None and harder.term is not None:
        return plain.style is harder.style and drop_names(plain.term) == harder.term
    return plain.style is harder.style and harder.text in {plain.text, anew.get(plain.text)}


def _sort_inputs(statements: Sequence[Statement], every: set[str]) -> list[Statement]:
    """Return statements with the inputs of every case in an order of their own: it says nothing."""
    entries = sorted((x for x in statements if every & {*x.states[:1]}), key=lambda x: x.states)
    return [entries.pop(0) if every & {*item.states[:1]} else item for item in statements]


CHECK = VariantPassages()
