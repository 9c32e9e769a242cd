"""SOP: rules that are marked as redundant change nothing where they stand, by proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sopforge.domain.known_fields import collect_step_results, map_known_fields
from sopforge.domain.language.expressions import AllOf, Constant, Expression, collect_read_fields
from sopforge.domain.model import DomainModel, Step
from sopforge.domain.rules import HitPolicy, Rule, Table
from sopforge.domain.values.types import EnumType
from sopforge.findings import Finding, make_error_finding
from sopforge.logic.tables import (
    FALSE,
    build_agreement,
    build_coverage_condition,
    build_decision_value,
)
from sopforge.reading.parsed_sop import ParsedStep, SopReader, Transition
from sopforge.reading.sop_passages import Part, read_parts
from sopforge.rendering.sop.added.redundant_rules import REDUNDANT
from sopforge.rendering.sop.document import Line
from sopforge.solving.arrivals import list_arrival_conditions
from sopforge.solving.questions import NoRow, Row, find_row
from sopforge.workspace import SOP_TEXT


def check_redundant_rules(
    model: DomainModel, lines: Sequence[Line], binding: frozenset[str], steps: Sequence[ParsedStep]
) -> Iterator[Finding]:
    """Report where rules that are marked as redundant decide something, or are no rules.

    ``steps`` are what the lines with the excuses ``binding`` state. With the redundant ones among
    them, each list of rules and transitions has to be the same list with rules put in, and each of
    these has to be met only where an earlier rule is, or to give what the later ones give.
    """
    marked = [line for line in lines if line.excused == REDUNDANT]
    if not marked:
        return
    whole = SopReader(model).read(_read_parts_with_marked(lines, binding))
    found = 0
    # Where a heading is marked, too, the steps are others, and fewer rules are found than marked.
    for step, plain, further in zip(model.steps.values(), steps, whole.steps, strict=False):
        for target, known, stated in _pair_lists(plain, further):
            for item in _list_put_in(known, stated):
                found += 1
                yield from _check_put_in(model, step, replace(item, target=target), plain.number)
    if found != len(marked):
        yield _make_finding(
            f"{found} of {len(marked)} passages that are marked as redundant are rules of a list"
            " of which the first that applies decides",
            "\n".join(line.text for line in marked),
        )


def _read_parts_with_marked(lines: Sequence[Line], binding: frozenset[str]) -> list[Part]:
    """Return the parts of a text that have redundant rules; the others are headings alone.

    To read a part takes time, and the others are read already.
    """
    plain = read_parts(line for line in lines if line.excused in binding)
    further = read_parts(line for line in lines if line.excused in binding | {REDUNDANT})
    known = {part.number: part.passages for part in plain}
    return [
        Part(part.number, part.title) if known.get(part.number) == part.passages else part
        for part in further
    ]


@dataclass(frozen=True, slots=True)
class _PutIn:
    """A rule that was put in, between the rules of a list, for a field or else for transitions."""

    rule: Rule
    before: tuple[Rule, ...]
    after: tuple[Rule, ...]
    target: str = ""


def _pair_lists(
    plain: ParsedStep, further: ParsedStep
) -> Iterator[tuple[str, Sequence[Rule], Sequence[Rule]]]:
    """Yield the rules of each list of a step without the redundant ones, and with them.

    Each comes with the field that they decide, "" where they are transitions.
    """
    for target, decision in plain.decisions.items():
        stated = further.decisions.get(target)
        tables = [item for item in (decision, stated) if isinstance(item, Table)]
        if [table.hit for table in tables] == [HitPolicy.FIRST, HitPolicy.FIRST]:
            known, longer = tables
            yield target, known.rules, longer.rules
    targets = list(dict.fromkeys(map(_name_target, (*plain.transitions, *further.transitions))))
    yield (
        "",
        _build_rules(plain.transitions, targets),
        _build_rules(further.transitions, targets),
    )


def _build_rules(transitions: Iterable[Transition], targets: Sequence[str]) -> list[Rule]:
    kind = EnumType(tuple(targets))
    return [
        Rule("", item.when, Constant(kind, targets.index(_name_target(item))))
        for item in transitions
    ]


def _name_target(item: Transition) -> str:
    return f"{item.to}, {item.bound}, {item.then}"


def _list_put_in(known: Sequence[Rule], stated: Sequence[Rule]) -> list[_PutIn]:
    """Return the rules by which one list is longer than another; [] where it is another list."""
    place, found = 0, []
    for rule in stated:
        if place < len(known) and (rule.when, rule.then) == (known[place].when, known[place].then):
            place += 1
        else:
            found.append(_PutIn(rule, tuple(known[:place]), tuple(known[place:])))
    return found if place == len(known) else []


def _check_put_in(model: DomainModel, step: Step, item: _PutIn, number: str) -> Iterator[Finding]:
    place = f"step {number}: a rule marked as redundant"
    if item.rule.when is None:
        yield _make_finding(f"{place} applies to all cases")
        return
    unsure = sorted(collect_read_fields(item.rule.when) - _collect_known(model, step))
    if unsure:
        yield _make_finding(f"{place} reads {', '.join(unsure)}, which may be unknown there")
        return
    earlier = [rule.when for rule in item.before if rule.when is not None]
    others = [*earlier, _build_same_result(item)]
    answer = find_row(model, [item.rule.when], others)
    if not isinstance(answer, NoRow):
        # It may be for cases that an earlier step has sent elsewhere.
        coming = _list_coming(model, step, item.target)
        answer = find_row(model, [item.rule.when, *coming], others) if coming else answer
    if not isinstance(answer, NoRow):
        shown = str(answer) if isinstance(answer, Row) else ""
        is_shown = "changes a decision" if shown else "is not proved to change no decision"
        yield _make_finding(f"{place} {is_shown}", shown)


def _collect_known(model: DomainModel, step: Step) -> frozenset[str]:
    """Return the fields that every path to a step has made known, and the step itself."""
    arrived = map_known_fields(model).get(step.id, frozenset())
    return arrived | collect_step_results(model, step)


def _list_coming(model: DomainModel, step: Step, target: str) -> list[Expression]:
    """Return what holds of every case for which rules of a step are read.

    Those for a field that other steps decide, too, are read there as well.
    """
    is_elsewhere = any(target in other.decide for other in model.steps.values() if other != step)
    return [] if is_elsewhere else list_arrival_conditions(model, step)


def _build_same_result(item: _PutIn) -> Expression:
    """Return the condition under which the later rules give what the rule gives."""
    if not item.after:
        return FALSE
    later = Table("", HitPolicy.FIRST, item.after, "")
    same = build_agreement(item.rule.then, build_decision_value(later))
    covered = build_coverage_condition(later)
    return same if covered is None else AllOf((covered, same))


def _make_finding(message: str, evidence: str = "") -> Finding:
    return make_error_finding(
        "sop-not-marked",
        message,
        where=SOP_TEXT,
        evidence=evidence,
        hint="delete the rule, or state it in the brief",
    )
