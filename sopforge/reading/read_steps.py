"""The rules of steps, read from the words of an SOP or of a part of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.reading.parsed_sop import ParsedStep, SopReader
from sopforge.reading.sop_passages import Part, read_parts
from sopforge.rendering.sop.added.indirect_limits import mark_entries
from sopforge.rendering.sop.added.moved_rules import POINTER, REFERENCE
from sopforge.rendering.sop.added.superseded import collect_first_days, is_void
from sopforge.rendering.sop.ambiguous.readings import read_carefully
from sopforge.rendering.sop.document import Line, SopDocument
from sopforge.rendering.sop.edited_sop import with_text
from sopforge.rendering.sop.plain_reading import build_plain_reading
from sopforge.rendering.sop.references import name_part_section

_KEPT = 8


@dataclass(frozen=True, slots=True)
class ReadSteps:
    """A model with the rules and transitions that a text states; ``unread`` are other sentences."""

    model: DomainModel
    unread: tuple[str, ...]


@dataclass
class StepReader:
    """Reads texts of steps as ``read_steps`` does, each of the last few once."""

    kept: dict[tuple[int, str, int], tuple[DomainModel, ReadSteps]] = field(default_factory=dict)

    def __call__(self, model: DomainModel, text: str, main: int) -> ReadSteps:
        key = id(model), text, main
        if key not in self.kept:
            if len(self.kept) >= _KEPT:
                self.kept.pop(next(iter(self.kept)))
            # With the model, so that no other one comes by its id while this is kept.
            self.kept[key] = model, read_steps(model, text, main)
        return self.kept[key][1]


def number_steps(model: DomainModel, main: int) -> dict[str, str]:
    """Return the number of each step in an SOP whose procedure begins in a section of a number.

    Each part stands in the section after the one before it.
    """
    sections = {name: main + place for place, name in enumerate(("", *model.parts))}
    return {
        step.id: f"{sections[part]}.{place}"
        for part in sections
        for place, step in enumerate(model.list_steps_in(part), 1)
    }


def read_steps(model: DomainModel, text: str, main: int) -> ReadSteps:
    """Return a model with what a text says of the steps in it, all else being as it is.

    Nothing but the words is read: what says that it is void decides nothing, and pointers to rules,
    limits and terms of other sections are followed where the text has these.
    """
    steps = {number: step for step, number in number_steps(model, main).items()}
    parts = read_parts(_iterate_lines(model, text))
    found = {part.number for part in parts}
    # Other steps are named in transitions, by number and title.
    named = [part for part in _list_headings(model, steps, main) if part.number not in found]
    parsed = SopReader(model).read([*parts, *named])
    stated = {
        steps[said.number]: said
        for said in parsed.steps
        if said.number in steps and said.number in found
    }
    decisions = dict(model.decisions)
    for said in stated.values():
        decisions |= {name: item for name, item in said.decisions.items() if name in decisions}
    changed = {
        name: _put_transitions(step, stated[name], steps) if name in stated else step
        for name, step in model.steps.items()
    }
    unread = tuple(passage.whole for passage in parsed.unread)
    return ReadSteps(replace(model, steps=changed, decisions=decisions), unread)


def _iterate_lines(model: DomainModel, text: str) -> Iterator[Line]:
    """Yield the lines that state something, as they are meant."""
    first_days = collect_first_days(model)
    plain = f"Text\n\n{read_carefully(text)}"
    lines = [*mark_entries(map(_mark, with_text(SopDocument(()), plain).lines))]
    yield from (line for line in build_plain_reading(lines) if not is_void(line.text, first_days))


def _mark(line: Line) -> Line:
    """Return a line with what its words say of its part in the text."""
    if POINTER.fullmatch(line.text):
        return replace(line, excused=REFERENCE)
    return line


def _list_headings(model: DomainModel, steps: Mapping[str, str], main: int) -> list[Part]:
    named = [
        Part(number, " ".join(model.steps[step].title.split())) for number, step in steps.items()
    ]
    parts = enumerate(model.parts.values(), main + 1)
    return [*named, *(Part(str(number), name_part_section(part)) for number, part in parts)]


def _put_transitions(step: Step, said: ParsedStep, steps: Mapping[str, str]) -> Step:
    """Return a step with the transitions that a text states, as it is where it states none."""
    edges = tuple(
        Edge(
            step.id,
            str(number),
            steps[item.to],
            item.when,
            item.bound,
            None if item.then is None else steps[item.then],
        )
        for number, item in enumerate(said.transitions, 1)
    )
    return replace(step, edges=edges) if edges and edges[-1].when is None else step
