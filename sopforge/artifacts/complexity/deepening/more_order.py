"""Model level: two wide rules that overlap with those of a table: the first of all counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.deepening.drawn_cases import DrawnCases, Fact, draw_cases
from sopforge.artifacts.complexity.deepening.model_places import (
    choose_fact,
    format_label,
    get_rules,
    group_known_facts,
    list_labels,
    select_label_tables,
)
from sopforge.artifacts.complexity.model_patches import Parts
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.logic.variants.slots import with_decision
from sopforge.seeds import permute_items

_AHEAD, _LATER = "ahead", "later"
_SHARE = 60
_PROPOSED_FOR_A_TABLE = 6


class MoreOrder:
    """Puts one rule before all of a table and another after them, each for many cases."""

    name = "more_order"
    misreading = "tries-the-rules-in-reverse"

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        tables = [
            table
            for table in select_label_tables(model, HitPolicy.FIRST, HitPolicy.UNIQUE)
            if not _is_made(table)
        ]
        if not tables:
            return
        cases = draw_cases(model, seed)
        proposals = [
            _patch(parts, table, first, second, labels)
            for table in tables
            for (first, second), labels in islice(
                _iterate_rules(cases, table, seed), _PROPOSED_FOR_A_TABLE
            )
        ]
        yield from permute_items(proposals, seed, self.name, len(tables))

    def misread(self, model: DomainModel) -> DomainModel:
        """Return the model in which the last rule that applies decides, not the first."""
        for decision in model.decisions.values():
            if isinstance(decision, Table) and _is_made(decision):
                model = with_decision(
                    model, replace(decision, rules=_reorder_from_last(decision.rules))
                )
        return model


def _is_made(table: Table) -> bool:
    return {_AHEAD, _LATER} <= {rule.id for rule in table.rules}


def _reorder_from_last(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return rules from the last to the first; that of all other cases stays after them."""
    return (
        *(rule for rule in reversed(rules) if rule.when is not None),
        *(rule for rule in rules if rule.when is None),
    )


def _iterate_rules(
    cases: DrawnCases, table: Table, seed: int
) -> Iterator[tuple[tuple[Fact, Fact], tuple[str, str]]]:
    """Return pairs of facts that are known where a table is decided, each with two labels."""
    by_field = group_known_facts(cases, table)
    names = permute_items(sorted(by_field), seed, MoreOrder.name, "facts", table.target)
    labels = _list_label_pairs(cases.model, table, seed)
    for place, pair in enumerate(zip(names[::2], names[1::2], strict=False)):
        first, second = (choose_fact(by_field[name], _SHARE) for name in pair)
        yield (first, second), labels[place % len(labels)]


def _list_label_pairs(model: DomainModel, table: Table, seed: int) -> list[tuple[str, str]]:
    """Return pairs of labels that rules of the table give, in a keyed order."""
    given = dict.fromkeys(format_label(rule.then) for rule in table.rules)
    labels = list(given) if len(given) > 1 else list(list_labels(model, table))
    pairs = [(one, other) for one in labels for other in labels if one != other]
    return permute_items(pairs, seed, MoreOrder.name, "labels", table.target)


def _patch(parts: Parts, table: Table, first: Fact, second: Fact, labels: tuple[str, str]) -> Parts:
    rules = get_rules(parts, table)
    ahead = {"id": _AHEAD, "when": first.source, "then": labels[0]}
    later = {"id": _LATER, "when": second.source, "then": labels[1]}
    # Where there is no rule of all other cases, nothing would be left for one after the last.
    changed = [ahead, *rules[:-1], later, rules[-1]]
    return {"decisions": {table.target: {"hit": str(HitPolicy.FIRST), "rules": changed}}}


OPERATOR = MoreOrder()
