"""The SOP compared with the model: expressions, decisions and transitions, by proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sopforge.domain.fields import Role
from sopforge.domain.language.expressions import AnyOf, Expression, Not, Presence
from sopforge.domain.model import DomainModel, Edge
from sopforge.domain.rules import (
    Collect,
    Decision,
    Formula,
    HitPolicy,
    Rule,
    Table,
)
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.alternatives import split_entries
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.phrasing.last_labels import open_last_label
from sopforge.logic.phrasing.presence import (
    add_implied_presence,
    collect_needed_fields,
    drop_implied_presence,
)
from sopforge.logic.phrasing.shape import compute_shape
from sopforge.logic.tables import (
    TOTALS,
    build_agreement,
    build_coverage_condition,
    build_decision_value,
)
from sopforge.reading.parsed_sop import Transition
from sopforge.solving.questions import Answer, NoRow, Row, find_row

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Difference:
    """How a text differs from the model, with a row that shows it where one was found.

    ``is_alike``: the words are others, and yet every case is decided alike. ``stated`` and
    ``known`` are what the text and the model say, in the words of rules.
    """

    what: str
    row: str = ""
    is_alike: bool = False
    stated: str = ""
    known: str = ""

    @property
    def evidence(self) -> str:
        """Both sides, and the case on which they differ, as far as they are known."""
        sides = {"the text": self.stated, "the model": self.known, "a case": self.row}
        return "; ".join(f"{side}: {words}" for side, words in sides.items() if words)


def compare_values(
    model: DomainModel, stated: Expression | None, known: Expression | None
) -> Difference | None:
    """Return how two expressions differ, None where they say the same.

    A comparison says of what it compares that it is there: whether a test for that stands beside
    it or, as the model's reads are guarded, somewhere before it, does not matter.
    """
    found = _compare_expressions(model, stated, known)
    if found is None or stated is None or known is None:
        return found
    words = [
        phrase_expression(drop_implied_presence(item, model.fields), model.fields)
        for item in (stated, known)
    ]
    return replace(found, stated=words[0], known=words[1])


def _compare_expressions(
    model: DomainModel, stated: Expression | None, known: Expression | None
) -> Difference | None:
    if stated is None or known is None:
        return None if stated is known else Difference("the case of all others")
    stated, known = (
        add_implied_presence(resolve_denials(item), model.fields) for item in (stated, known)
    )
    if compute_shape(stated) in {compute_shape(known), compute_shape(split_entries(known))}:
        return None
    if type(stated.type) is not type(known.type):
        return Difference("the kind of value")
    return _ask_for_difference(model, stated, known)


def _ask_for_difference(model: DomainModel, stated: Expression, known: Expression) -> Difference:
    """Return how expressions of other words differ, with a row if there is one."""
    answer = find_row(model, [], [build_agreement(stated, known)])
    lacking = _find_lacking(model, stated, known) if isinstance(answer, NoRow) else None
    if isinstance(lacking, Row):
        return Difference("on this row, in which the text's value is missing", str(lacking))
    if isinstance(answer, NoRow):
        return Difference("in other words, with the same result in every case", is_alike=True)
    if isinstance(answer, Row):
        return Difference("on this row", str(answer))
    # No error without a case: a wrong text is shown by one, and here is none.
    return Difference("in other words, and whether they mean the same is undecided", is_alike=True)


def _find_lacking(model: DomainModel, stated: Expression, known: Expression) -> Answer | None:
    """Return a row in which a text works with a value that is missing, and the model does not."""
    ours, theirs = (collect_needed_fields(item, model.fields) for item in (stated, known))
    facts = (Role.INPUT, Role.OBSERVED)
    names = [name for name in sorted(ours - theirs) if model.fields[name].role in facts]
    tests = [Not(Presence(name)) for name in names]
    return find_row(model, [], [AnyOf(tuple(tests))]) if tests else None


def compare_decisions(
    model: DomainModel, stated: Decision, known: Decision, *, is_zero_for_none: bool
) -> Difference | None:
    """Return how two decisions differ."""
    if isinstance(stated, Formula) and isinstance(known, Formula):
        return compare_values(model, stated.value, known.value)
    if not isinstance(stated, Table) or not isinstance(known, Table):
        return Difference("the kind of decision")
    if (stated.hit, stated.collect) != (known.hit, known.collect):
        return Difference("which of the rules that apply decides")
    if is_zero_for_none != _is_zero_for_none(known):
        return Difference("the value where no rule applies")
    stated, known = (open_last_label(item, model.fields) for item in (stated, known))
    found = _compare_rules(model, stated, known)
    # Where the first rule decides, tables may agree in every case though their rules do not.
    if found is None or found.is_alike or known.hit is not HitPolicy.FIRST:
        return found
    outcome = _compare_outcomes(model, stated, known) or Difference(
        "with other rules", is_alike=True
    )
    return replace(outcome, stated=found.stated, known=found.known)


def compare_transitions(
    model: DomainModel, stated: Sequence[Transition], known: Sequence[Edge], numbers: dict[str, str]
) -> Difference | None:
    """Return how the transitions from a step differ; ``numbers`` are those of the steps."""
    if known and known[-1].when is not None and stated and stated[-1].when is None:
        stated = stated[:-1]  # no case is left for it
    # An "or" may be stated as several transitions: both sides are compared by alternative.
    first = [part for item in stated for part in _split_alternatives(item.when, item)]
    second = [part for edge in known for part in _split_alternatives(edge.when, edge)]
    found: Difference | None = Difference(
        f"{len(first)} transitions where the model has {len(second)}"
    )
    if len(first) == len(second):
        found = _compare_in_turn(model, first, second, numbers)
    if found is None or found.is_alike:
        return found
    return _compare_together(model, stated, known, numbers) or found


def _compare_in_turn(
    model: DomainModel,
    first: Sequence[tuple[Expression | None, Transition]],
    second: Sequence[tuple[Expression | None, Edge]],
    numbers: dict[str, str],
) -> Difference | None:
    """Return how transitions differ that are compared one after the other."""
    differences = []
    for (when, item), (wanted, edge) in zip(first, second, strict=True):
        then = numbers[edge.then] if edge.then else None
        if (item.to, item.bound, item.then) != (numbers[edge.to], edge.bound, then):
            return Difference(f"a transition to step {item.to} where the model goes to {edge.to}")
        differences.append(compare_values(model, when, wanted))
    return _choose_gravest(differences)


def _compare_together(
    model: DomainModel, stated: Sequence[Transition], known: Sequence[Edge], numbers: dict[str, str]
) -> Difference | None:
    """Return that transitions say the same in another order of alternatives, None if they do not.

    Those to one step that follow each other are taken together, unless they count repetitions.
    """
    said = _join_neighbours((item.when, (item.to, item.bound, item.then)) for item in stated)
    wanted = _join_neighbours(
        (edge.when, (numbers[edge.to], edge.bound, numbers[edge.then] if edge.then else None))
        for edge in known
    )
    if [target for _, target in said] != [target for _, target in wanted]:
        return None
    pairs = zip(said, wanted, strict=True)
    if not all(_are_same_in_any_order(model, when, other) for (when, _), (other, _) in pairs):
        return None
    return Difference("with the alternatives in another order", is_alike=True)


def _are_same_in_any_order(
    model: DomainModel, stated: Expression | None, known: Expression | None
) -> bool:
    """Return whether each alternative of a condition is one of the other's, and all of them are."""
    left = [part for part, _ in _split_alternatives(known, None)]
    for part, _ in _split_alternatives(stated, None):
        place = next((n for n, other in enumerate(left) if _is_alike(model, part, other)), None)
        if place is None:
            return False
        del left[place]
    return not left


def _is_alike(model: DomainModel, stated: Expression | None, known: Expression | None) -> bool:
    found = compare_values(model, stated, known)
    return found is None or found.is_alike


def _join_neighbours(
    items: Iterable[tuple[Expression | None, tuple[str, int | None, str | None]]],
) -> list[tuple[Expression | None, tuple[str, int | None, str | None]]]:
    """Return conditions with their targets; those with one target after each other are one."""
    joined: list[tuple[Expression | None, tuple[str, int | None, str | None]]] = []
    for when, target in items:
        last, before = joined[-1] if joined else (None, None)
        is_counted = target[1] is not None
        if before == target and last is not None and when is not None and not is_counted:
            joined[-1] = (AnyOf((last, when)), target)
        else:
            joined.append((when, target))
    return joined


def _choose_gravest(differences: Iterable[Difference | None]) -> Difference | None:
    """Return the first difference that matters, else the first."""
    found = sorted((item for item in differences if item), key=lambda item: item.is_alike)
    return found[0] if found else None


def _compare_rules(model: DomainModel, stated: Table, known: Table) -> Difference | None:
    first, second = list(_iterate_rules(stated)), list(_iterate_rules(known))
    if len(first) != len(second):
        return Difference(f"{len(first)} cases where the model has {len(second)}")
    pairs = []
    for rule, wanted in zip(first, second, strict=True):
        pairs.append((rule.when, wanted.when))
        if known.collect is not Collect.COUNT or wanted.when is None:
            pairs.append((rule.then, wanted.then))
    return _choose_gravest(compare_values(model, *pair) for pair in pairs)


def _compare_outcomes(model: DomainModel, stated: Table, known: Table) -> Difference | None:
    """Compare what two tables give, where their rules are others."""
    if not stated.rules:
        return Difference("no rule")
    pairs = [
        (build_coverage_condition(stated), build_coverage_condition(known)),
        (build_decision_value(stated), build_decision_value(known)),
    ]
    return _choose_gravest(_compare_expressions(model, *pair) for pair in pairs)


def _iterate_rules(table: Table) -> Iterator[Rule]:
    """Return the rules of a table, one for each alternative where they are not collected."""
    for rule in table.rules:
        # Kept whole: two alternatives that both hold would be collected twice.
        if table.hit is HitPolicy.COLLECT:
            yield rule
            continue
        yield from (
            Rule(rule.id, when, rule.then) for when, _ in _split_alternatives(rule.when, rule)
        )


def _split_alternatives(
    when: Expression | None, thing: Thing
) -> list[tuple[Expression | None, Thing]]:
    """Return a thing once for each alternative of its condition."""
    inner = None if when is None else unwrap_node(split_entries(resolve_denials(when)))
    parts = flatten_group(inner) if isinstance(inner, AnyOf) else [when]
    return [(part, thing) for part in parts]


def _is_zero_for_none(table: Table) -> bool:
    return table.collect in TOTALS and all(rule.when is not None for rule in table.rules)
