"""Cases that a preview shows: unlike in their answers, each with what its path read and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.explaining import StoryLine, Storyteller
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.walking import Walk, collect_outcomes, list_names_used
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.filling import label_rows
from sopforge.proof.dataset.tasks.writing import as_task

CASES = 5
DRAWN = 400


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case: what the task states, its answers, the facts that its path read, what decided it.

    ``because`` are the rules, edges and checks that decided, in words, in the path's order.
    """

    inputs: Mapping[str, str]
    answers: Mapping[str, str]
    facts: Mapping[str, str]
    because: Sequence[str]

    @property
    def row(self) -> Mapping[str, str]:
        """What the task states, and the answers."""
        return {**self.inputs, **self.answers}


def draw_shown_cases(model: DomainModel, asked: DatasetDocument) -> list[ShownCase]:
    """Return some drawn cases, of as many answers as there are among the first draws."""
    rows = label_rows(model, asked.seed, range(DRAWN))
    # Other rows are no cases: a run draws them, and throws them away.
    drawn = [row for row in rows if all(holds(test, row.row) for test in model.row_conditions)]
    # Names of conditions are those of the brief's author, and no words.
    teller = Storyteller(model, is_naming=False)
    return [
        _show_case(teller, candidate, asked.dev_share)
        for candidate in _choose_unlike(model, drawn)[:CASES]
    ]


def _choose_unlike(model: DomainModel, drawn: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, first those with another answer, another result, another path."""
    primary = model.primary.name
    views: Sequence[Callable[[Candidate], Hashable]] = (
        lambda case: case.walk.known.get(primary),
        lambda case: repr(collect_outcomes(model, case.walk)),
        lambda case: tuple(case.walk.path),
        lambda case: case.number,
    )
    chosen: dict[int, Candidate] = {}
    for view in views:
        seen = {view(case) for case in chosen.values()}
        for case in drawn:
            if view(case) not in seen:
                seen.add(view(case))
                chosen.setdefault(case.number, case)
    return list(chosen.values())


def _show_case(teller: Storyteller, candidate: Candidate, dev_share: int) -> ShownCase:
    task = as_task(teller.model, candidate, dev_share)
    lines = list(dict.fromkeys(_list_reasons(teller, candidate.walk)))
    return ShownCase(task.inputs, task.outcomes, _collect_facts(teller.model, candidate), lines)


def _collect_facts(model: DomainModel, candidate: Candidate) -> dict[str, str]:
    """Return the values that the path of a case reads, as cells, but for the answers."""
    used = list_names_used(model, candidate.walk)
    # As the records were before any action; a check of a tool may read what no call returns.
    values = {**candidate.walk.known, **candidate.row}
    answers = {item.name for item in model.outcomes}
    return {
        name: item.format_cell(values[name])
        for name, item in model.fields.items()
        if name in used - answers and name in values
        if item.missing or values[name] is not None
    }


def _list_reasons(teller: Storyteller, done: Walk) -> Iterator[str]:
    """Yield what decided on a walk in words; what an action changes decides nothing by itself."""
    for line in teller.iterate_story_lines(done):
        kind, _, place = line.item.partition(" ")
        target, _, rule = place.rpartition(".")
        has_decided = kind != "rule" or rule in done.rules.get(target, ())
        if kind and kind != "effect" and has_decided:
            yield _phrase_reason(teller.model, line, done)


def _phrase_reason(model: DomainModel, line: StoryLine, done: Walk) -> str:
    """Return a line as a sentence of its own: what a rule decided, and where an edge leads."""
    kind, _, place = line.item.partition(" ")
    target, text = place.rpartition(".")[0], line.text.strip()
    if kind == "edge" and text.startswith("on to "):
        return f"it goes {text}"
    if kind != "rule":
        return text
    item, reason = model.fields[target], text.partition(": ")[2]
    rule = f"rule {place.rpartition('.')[2]}"
    return f"{item.label} is {item.format_cell(done.known.get(target))} by {rule}: {reason}"
