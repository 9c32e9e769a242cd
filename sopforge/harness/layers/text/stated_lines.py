"""The statements of a text's steps with their lines, and each as one line in other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.limits import find_limits
from sopforge.artifacts.rendering.sop.reading import read_statements
from sopforge.artifacts.rendering.sop.references import References
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.harness.layers.text.read_steps import list_references, number_steps, parse_text
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.words import Words


class StatedAt(NamedTuple):
    """A statement of a step, and the place of its first line in the text."""

    step: str
    at: int
    statement: Statement


@dataclass(frozen=True)
class StatedLines:
    """The lines of a text in which the procedure begins in the section of a number."""

    model: DomainModel
    lines: Sequence[str]
    main: int

    @cached_property
    def writer(self) -> Writer:
        """What writes statements of the model."""
        return Writer(self.model)

    @cached_property
    def words(self) -> Words:
        """The words of the text, with the limits that it names."""
        return self.writer.words.with_limits(find_limits(self.model.fields, self._parsed))

    @cached_property
    def references(self) -> References:
        """The numbers of steps and sections."""
        return list_references(self.model, self.main, self._parsed)

    @cached_property
    def _parsed(self) -> Sequence[Statement]:
        return parse_text("\n".join(self.lines))

    @cached_property
    def statements(self) -> list[StatedAt]:
        """The statements of all steps that the text states, in order."""
        numbers = number_steps(self.model, self.main)
        steps = {number: step for step, number in numbers.items()}
        found, step = [], ""
        places = self._iterate_places()
        for item in read_statements(self.words, self.references, self._parsed[1:]):
            at = next(places)
            for _ in item.lines[1:]:
                next(places)
            if item.style in {Style.SECTION, Style.STEP}:
                step = (
                    steps.get(item.text.partition(" ")[0], "") if item.style is Style.STEP else ""
                )
            elif step:
                found.append(StatedAt(step, at, item))
        return found

    def _iterate_places(self) -> Iterator[int]:
        return (at for at, line in enumerate(self.lines) if line.strip())

    def write_line(self, stated: StatedAt, text: str) -> tuple[int, str] | None:
        """Return the place and the words of the one line that other words of a statement change.

        None where there are no words, or they change several lines or none.
        """
        item = stated.statement
        text = self.references.write(text)
        text = f"{text[:1].upper()}{text[1:]}" if item.text[:1].isupper() else text
        before, after = (_split(x) for x in (item, replace(item, text=text)))
        apart = [n for n, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
        if not text or len(before) != len(after) or len(apart) != 1:
            return None
        return stated.at + apart[0], after[apart[0]]


def _split(item: Statement) -> list[str]:
    return SopDocument((item,)).as_text().strip("\n").split("\n")
