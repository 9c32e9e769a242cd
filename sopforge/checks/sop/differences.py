"""Where the text of an SOP differs from what the model and the brief make of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sopforge.artifacts.rendering.sop.alignment import align
from sopforge.artifacts.rendering.sop.document import ITEM, SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.forms import FORMS
from sopforge.artifacts.rendering.sop.marks import OWN_WORDS
from sopforge.artifacts.rendering.sop.references import References, find_references
from sopforge.artifacts.rendering.sop.sections.tables import read_row
from sopforge.artifacts.rendering.sop.sop import write_brief_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.english.prose.guards import compare_guards
from sopforge.language.english.terms import Term, drop_names
from sopforge.workspace import Workspace

_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})
_OTHER_RULE = "meaning: the grammar reads the words as another rule"
_HELD = ("labels", "references")
_MARK = re.compile(r"\{[^}]*\}?")
"""What stands for a reference in words that are not written yet."""


class StatementChange(Enum):
    """How a statement differs: it is gone, further, in another place, or has other words."""

    LOST = "lost"
    ADDED = "added"
    MOVED = "moved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """A derived statement and what stands in its place; ``guards`` are what shows without reading.

    ``is_alike``: the words are others, and the grammar reads them as the same statement. A further
    statement ``is_rule`` if the grammar reads it as one, or it repeats one of the model's.
    """

    kind: StatementChange
    derived: Statement | None
    stated: Statement | None
    guards: tuple[str, ...] = ()
    is_alike: bool = False
    is_rule: bool = False

    @property
    def is_vouched_for(self) -> bool:
        """Whether somebody has said that the words mean the same, and nothing shows otherwise."""
        derived, stated = self.derived, self.stated
        is_read = bool(derived and stated and stated.read_by and stated.read_as == derived.text)
        return is_read and not self.guards and bool(stated and stated.style not in _HEADINGS)


@dataclass(frozen=True, slots=True)
class Derived:
    """The SOP that a model and its brief make, with what reads it."""

    writer: Writer
    document: SopDocument

    @property
    def references(self) -> References:
        """The numbers of its headings."""
        return find_references(self.document.statements, self.writer.model)

    def compare(self, statement: Statement, stated: Statement) -> Difference:
        """Return how other words in the place of a statement differ from it.

        Labels and references are compared wherever the words are read as the same: the grammar
        reads past a pointer to another section.
        """
        before, after = statement.text, stated.text
        # A joined list would read "5: - 1 in every case", with a minus.
        has_list = before.count(ITEM) == after.count(ITEM)
        guards = tuple(compare_guards(before, after))
        if statement.term is None:
            is_alike = before.split() == after.split() and has_list and not guards
            return Difference(StatementChange.CHANGED, statement, stated, guards, is_alike)
        found, meant = set(self.read(statement, after)), drop_names(statement.term)
        if found and meant not in found:
            guards = (*guards, _OTHER_RULE)
        is_held = has_list and not any(x.startswith(_HELD) for x in guards)
        is_alike = found == {meant} and is_held
        return Difference(StatementChange.CHANGED, statement, stated, guards, is_alike)

    def is_rule(self, stated: Statement) -> bool:
        """Return whether a statement that is none of the model's reads as one, or repeats one."""
        known = self.document.statements
        if any(item.text == stated.text and not self.is_prose(item) for item in known):
            return True
        kinds = {item.kind: item for item in known if item.term is not None and item.kind != "row"}
        return any(self.read(item, stated.text) for item in kinds.values())

    def is_prose(self, item: Statement | None) -> bool:
        """Return whether a statement is prose of the brief: of its draft, or an instruction."""
        if item is None or item.style in _HEADINGS or item.kind:
            return False
        steps = self.writer.model.steps.values()
        instructions = {" ".join(step.instruction.split()) for step in steps if step.instruction}
        return item.excused in {"draft", "tangential"} or (
            " ".join(item.text.split()) in instructions
        )

    def read(self, statement: Statement, text: str) -> Collection[Term]:
        """Return all that words can mean in the place of a statement that has a term."""
        if statement.term is None or set(_MARK.findall(text)) - set(_MARK.findall(statement.text)):
            return frozenset()  # A mark stands for a reference, and is no word of a person's.
        english = self.writer.words.english
        plain = self.references.read(text)
        if statement.kind == "row":
            return read_row(english, [(kind,) for kind, _ in statement.term[1:]], plain)
        return english.read(statement.kind, plain)


def derive_sop(workspace: Workspace) -> Derived:
    """Return the SOP of a workspace's model as it is derived."""
    form = FORMS[workspace.brief.parts.sop.form]
    writer = Writer(workspace.model, has_names=form.has_definitions)
    return Derived(writer, write_brief_sop(writer, workspace.brief))


def compare_statements(derived: Derived, stored: Sequence[Statement]) -> Iterator[Difference]:
    """Yield where a text differs from the derived one.

    Paragraphs that a language model wrote of its own are left out; so is prose of the brief that is
    gone, for it decides nothing.
    """
    found = []
    own = [item for item in stored if item.excused != OWN_WORDS]
    for before, after in align(derived.document.statements, own):
        if before is None:
            is_rule = after is not None and derived.is_rule(after)
            found.append(Difference(StatementChange.ADDED, None, after, is_rule=is_rule))
        elif after is None:
            found.append(Difference(StatementChange.LOST, before, None))
        elif before.text != after.text:
            found.append(derived.compare(before, after))
    yield from _join_moved(derived, found)


def _join_moved(derived: Derived, found: Sequence[Difference]) -> Iterator[Difference]:
    added = [item for item in found if item.kind is StatementChange.ADDED]
    for item in found:
        moved = next((x for x in added if _is_same(item.derived, x.stated)), None)
        if item.kind is StatementChange.LOST and moved is not None:
            added.remove(moved)
            yield Difference(StatementChange.MOVED, item.derived, moved.stated)
        elif item.kind is StatementChange.CHANGED or (
            item.kind is StatementChange.LOST and not derived.is_prose(item.derived)
        ):
            yield item
    yield from added


def _is_same(derived: Statement | None, stated: Statement | None) -> bool:
    return bool(derived and stated) and derived.text == stated.text  # type: ignore[union-attr]
