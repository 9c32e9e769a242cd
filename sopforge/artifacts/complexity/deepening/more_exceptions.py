"""Model level: an exception to a rule that is itself set aside and restored, each by a fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.deepening.drawn_cases import DrawnCases, Fact, draw_cases
from sopforge.artifacts.complexity.deepening.model_places import (
    choose_fact,
    format_label,
    get_rules,
    group_known_facts,
    list_labels,
    patch_decide,
    select_label_tables,
)
from sopforge.artifacts.complexity.model_patches import Parts, merge_patch
from sopforge.language.domain.expressions.expressions import AllOf, Not, Read, collect_read_fields
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Formula, HitPolicy, Rule, Table
from sopforge.language.logic.variants.slots import with_decision
from sopforge.seeds import draw_below, permute_items

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# An exception for most, set aside for most of them: who stops at it errs as often as can be.
_SHARES = (80, 75, 20)
_PROPOSED_FOR_A_RULE = 2
_SHALLOW = 2


@dataclass(frozen=True, slots=True)
class _Exception:
    """An exception to a rule of a table, by its ordinal, with the facts on which it rests."""

    word: str
    table: Table
    rule: Rule
    facts: tuple[Fact, ...]

    @property
    def name(self) -> str:
        """The field that says whether it applies."""
        return f"{self.word}_exception"


class MoreExceptions:
    """Gives a rule an exception, the exception an exception, and often that one a third."""

    name = "more_exceptions"
    misreading = "stops-at-the-first-exception"

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        free = [word for word in _ORDINALS if is_free(model, f"{word}_exception")]
        places = [
            (table, rule)
            for table in select_label_tables(model, HitPolicy.FIRST)
            for rule in _list_plain_rules(table)
        ]
        if not free or not places:
            return
        cases = draw_cases(model, seed)
        for table, rule in permute_items(places, seed, self.name, len(free)):
            found = _iterate_facts(cases, table, seed, rule.id)
            for facts in islice(found, _PROPOSED_FOR_A_RULE):
                yield _patch(parts, model, _Exception(free[0], table, rule, tuple(facts)))

    def misread(self, model: DomainModel) -> DomainModel:
        """Return the model in which each exception applies although it is set aside."""
        for word in _ORDINALS:
            decision = model.decisions.get(f"{word}_exception")
            if isinstance(decision, Formula):
                model = with_decision(model, _without_limit(decision, f"{word}_exception_aside"))
        return model


def _list_plain_rules(table: Table) -> list[Rule]:
    """Return the rules that are no exceptions and have none yet."""
    made = {f"{word}_exception" for word in _ORDINALS}
    has_one = any(rule.id in made for rule in table.rules)
    return [
        rule
        for rule in table.rules
        if rule.id not in made
        and not (has_one if rule.when is None else collect_read_fields(rule.when) & made)
    ]


def _without_limit(decision: Formula, limit: str) -> Formula:
    value = decision.value
    if not isinstance(value, AllOf):
        return decision
    kept = [
        part
        for part in value.operands
        if not (
            isinstance(part, Not) and isinstance(part.operand, Read) and part.operand.field == limit
        )
    ]
    return replace(decision, value=kept[0]) if len(kept) == 1 else decision


def _iterate_facts(cases: DrawnCases, table: Table, seed: int, rule: str) -> Iterator[list[Fact]]:
    """Return facts on two or three fields that are known where a table is decided."""
    by_field = group_known_facts(cases, table)
    depth = _SHALLOW + draw_below(2, seed, MoreExceptions.name, "depth", table.target, rule)
    names = permute_items(sorted(by_field), seed, MoreExceptions.name, "facts", table.target, rule)
    for start in range(0, len(names) - depth + 1, depth):
        chosen = names[start : start + depth]
        yield [
            choose_fact(by_field[name], share) for name, share in zip(chosen, _SHARES, strict=False)
        ]


def _patch(parts: Parts, model: DomainModel, made: _Exception) -> Parts:
    chain = _build_chain(made.name, made.facts)
    label = model.fields[made.table.target].label
    fields = {name: _describe(made.word, place, label) for place, name in enumerate(chain)}
    changed = {
        "entities": {model.case.name: {"fields": fields}},
        "decisions": {
            **{name: {"value": value} for name, value in chain.items()},
            made.table.target: {"rules": _write_rules(parts, model, made)},
        },
    }
    # What an exception rests on is decided before it.
    return merge_patch(changed, patch_decide(parts, model, made.table.target, reversed(chain)))


def _write_rules(parts: Parts, model: DomainModel, made: _Exception) -> list[dict[str, Any]]:
    """Return the rules of a table, of which one has an exception, or all other cases have one."""
    table, rule = made.table, made.rule
    rules, place = get_rules(parts, table), table.rules.index(rule)
    if rule.when is not None:
        rules[place] |= {"when": f"({rules[place]['when']}) and not {made.name}"}
        return rules
    given = [format_label(item.then) for item in table.rules]
    others = [label for label in (*given, *list_labels(model, table)) if label != given[place]]
    rules.insert(place, {"id": made.name, "when": made.name, "then": others[0]})
    return rules


def _build_chain(name: str, facts: Sequence[Fact]) -> dict[str, str]:
    """Return the fields of an exception and of what limits it, each with its value."""
    names = [name, f"{name}_aside", f"{name}_restored"][: len(facts)]
    limits = [f" and not {limit}" for limit in names[1:]] + [""]
    return {
        field: f"{fact.source}{limit}"
        for field, fact, limit in zip(names, facts, limits, strict=True)
    }


def _describe(word: str, number: int, label: str) -> dict[str, Any]:
    subject = f"the {word} exception"
    says = (
        (f"{word} exception", f"{subject} applies", f"{subject} does not apply"),
        (f"setting aside of {subject}", f"{subject} is set aside", f"{subject} is not set aside"),
        (f"restoring of {subject}", f"{subject} is restored", f"{subject} is not restored"),
    )
    called, yes, no = says[number]
    return {
        "role": "derived",
        "type": "boolean",
        "label": called,
        "said": {"yes": yes, "no": no},
        "description": f"whether {yes} to the rules on the {label}"
        if not number
        else f"whether {yes}",
    }


OPERATOR = MoreExceptions()
