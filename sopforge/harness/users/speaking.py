"""Acts put into words, and read back from them: the words decide no more than the acts do.

Each act is a line. A wording is used only where the line reads back as just its act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from sopforge.errors import Fault, MaterialError
from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.cells import iterate_cells, show_value
from sopforge.harness.users.words import BEFORE, CAPITAL, LABEL, TASK, TOPIC, VALUE, Template, Words
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.english.prose.purpose import describe_purpose
from sopforge.seeds import permute_items

Bound: TypeAlias = Mapping[str, str]
"""What stands in the slots of a line: names of fields and tools, values as they are shown."""


@dataclass(frozen=True)
class Speech:
    """The words of the users of one domain."""

    model: DomainModel
    words: Words

    def write(self, acts: Iterable[Act], *names: str | int) -> str:
        """Return acts in words, drawn by ``names``.

        Raises:
            MaterialError: no wording of an act reads back as that act alone.
        """
        return "\n".join(self.write_line(act, *names, place) for place, act in enumerate(acts))

    def write_line(self, act: Act, *names: str | int) -> str:
        """Return an act in words, by the first of its wordings, as drawn, that reads back."""
        templates, line = self.words.templates[act.kind], ""
        for drawn in permute_items(templates, 0, "words", act.kind, *names):
            line = self.fill(drawn, act)
            if set(self.iterate_readings(line)) == {act}:
                return line
        found = " or ".join(sorted(f"'{item.kind}'" for item in set(self.iterate_readings(line))))
        meant = f"'{act.kind}'" + (f" of '{act.about}'" if act.about else "")
        message = f"'{line}' is read as {found or 'nothing'}, but it means {meant}"
        hint = (
            "give the act a wording that no other act has, and put words of its own around the"
            " values"
        )
        raise MaterialError(Fault("user-words-ambiguous", message, templates[0].where, hint))

    def read(self, text: str) -> tuple[Act, ...]:
        """Return the acts of a text that ``write`` wrote; lines of others are none."""
        readings = [sorted(set(self.iterate_readings(line)), key=repr) for line in text.split("\n")]
        return tuple(found[0] for found in readings if len(found) == 1)

    def fill(self, template: Template, act: Act) -> str:
        """Return the line of an act by a wording."""
        return "".join(
            self._show(part, act) if place % 2 else part
            for place, part in enumerate(template.parts)
        )

    def iterate_readings(self, line: str) -> Iterator[Act]:
        """Yield the acts that a line may mean."""
        for kind, templates in self.words.templates.items():
            for template in templates:
                for bound in self._match(kind, template.parts, line, {}):
                    yield from self._build(kind, bound)

    # showing

    def _show(self, slot: str, act: Act) -> str:
        match slot:
            case "task":
                return self.task
            case "topic":
                return self.topics[act.about]
            case "label":
                return self.labels[act.about]
            case "Label":
                return _capitalize(self.labels[act.about])
            case _:
                cell = act.before if slot == BEFORE else act.value
                return show_value(self.model.fields[act.about], cell)

    @cached_property
    def task(self) -> str:
        """What users want done."""
        return describe_purpose(self.model)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """What fields are called, each by words of its own."""
        fields = self.model.fields.values()
        counts = Counter(item.label.lower() for item in fields)
        return {
            item.name: item.label
            if counts[item.label.lower()] == 1
            else f"{item.label} ({item.name})"
            for item in fields
        }

    @cached_property
    def topics(self) -> Mapping[str, str]:
        """What calls are called, by the tools that steps call."""
        said = {name: self._describe_call(self.model.tools[name]) for name in self.model.called}
        counts = Counter(said.values())
        return {
            name: text if counts[text] == 1 else f"{text} ({name})" for name, text in said.items()
        }

    def _describe_call(self, tool: Tool) -> str:
        entries = [
            f"the {self.labels[name]} as {parameter}" for parameter, name in tool.parameters.items()
        ]
        says = " ".join(tool.description.split()).rstrip(".")
        return f"{says}, with {', '.join(entries)}" if tool.operation and entries else says

    # reading

    def _match(
        self, kind: ActKind, parts: tuple[str, ...], line: str, bound: Bound
    ) -> Iterator[Bound]:
        """Yield what may stand in the slots of the parts that are left."""
        text, *left = parts
        if not line.startswith(text):
            return
        rest = line[len(text) :]
        if not left:
            if not rest:
                yield bound
            return
        slot, *following = left
        for name, shown in self._iterate_fillings(slot, kind, rest, following[0]):
            yield from self._match(
                kind, tuple(following), rest[len(shown) :], {**bound, slot: name}
            )

    def _iterate_fillings(
        self, slot: str, kind: ActKind, rest: str, after: str
    ) -> Iterator[tuple[str, str]]:
        """Yield what a line may have in a slot: the name or text, and as it is shown."""
        if slot in (VALUE, BEFORE):
            ends = [len(rest)] if not after else _iterate_places(after, rest)
            yield from ((rest[:end], rest[:end]) for end in ends)
            return
        for name, shown in self._list_names(slot, kind):
            if rest.startswith(shown):
                yield name, shown

    def _list_names(self, slot: str, kind: ActKind) -> list[tuple[str, str]]:
        if slot == TASK:
            return [("", self.task)]
        if slot == TOPIC:
            return list(self.topics.items())
        names = [name for name in self.labels if self._may_be_about(kind, name)]
        if slot == CAPITAL:
            return [(name, _capitalize(self.labels[name])) for name in names]
        return [(name, self.labels[name]) for name in names]

    def _may_be_about(self, kind: ActKind, name: str) -> bool:
        role = self.model.fields[name].role
        if kind is ActKind.SECRET:
            return role is Role.SECRET
        # What a user states is his own, and what he claims or does not know is not.
        return (role is Role.INPUT) == (kind not in (ActKind.CLAIM, ActKind.UNKNOWN))

    def _build(self, kind: ActKind, bound: Bound) -> Iterator[Act]:
        """Yield the act of a line, if what stands for values are values."""
        about = bound.get(LABEL) or bound.get(CAPITAL) or bound.get(TOPIC) or ""
        if VALUE not in bound:
            yield Act(kind, about)
            return
        item = self.model.fields[about]
        for value in iterate_cells(item, bound[VALUE]):
            if BEFORE not in bound:
                yield Act(kind, about, value)
            else:
                yield from (
                    Act(kind, about, value, before) for before in iterate_cells(item, bound[BEFORE])
                )


def _capitalize(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _iterate_places(part: str, text: str) -> Iterator[int]:
    """Yield where a part stands in a text."""
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)
