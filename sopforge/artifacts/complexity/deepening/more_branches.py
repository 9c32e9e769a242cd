"""Model level: a rule that is split by a mark on the form, with which another label is given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.deepening.model_places import (
    format_label,
    get_rules,
    list_labels,
)
from sopforge.artifacts.complexity.model_patches import Parts
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.requests import add_slots
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType
from sopforge.seeds import draw_below, permute_items


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the form may say of a case, so that a rule is not applied as usual."""

    name: str
    label: str
    description: str


_MARKS = (
    _Mark("special_terms", "agreement on special terms", "whether special terms were agreed on"),
    _Mark("pilot_case", "part in the pilot", "whether the case takes part in the pilot"),
    _Mark("audit_mark", "mark of the audit", "whether the audit has marked the case"),
    _Mark("lead_advice", "advice of the team lead", "whether the team lead advised otherwise"),
    _Mark("open_appeal", "notice of an appeal", "whether an appeal has been lodged"),
    _Mark("written_exception", "written exception", "whether an exception was made in writing"),
    _Mark("prior_ruling", "earlier ruling", "whether a ruling on the same matter exists"),
    _Mark("special_handling", "mark of special handling", "whether special handling was asked for"),
)


class MoreBranches:
    """Puts before a rule one of the same condition for cases that the form marks."""

    name = "more_branches"

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        marks = [mark for mark in _MARKS if is_free(model, mark.name)]
        rules = [
            (table, rule)
            for table in _select_tables(model)
            for rule in _select_conditional_rules(table)
        ]
        for table, rule in permute_items(rules, seed, self.name, len(rules)) if marks else ():
            # Keyed by how many are left: the next branch of the same variant is drawn anew.
            mark = marks[draw_below(len(marks), seed, self.name, "mark", len(marks))]
            yield _patch(parts, model, mark, _split(parts, model, mark, table, rule))


def _select_tables(model: DomainModel) -> list[Table]:
    """Return the tables that give one label, in which the first rule that applies decides."""
    return [
        decision
        for decision in model.decisions.values()
        if isinstance(decision, Table)
        and decision.hit is HitPolicy.FIRST
        and decision.shared is None
        and isinstance(model.fields[decision.target].type, EnumType)
    ]


def _select_conditional_rules(table: Table) -> list[Rule]:
    """Return the rules with a condition that are not split yet, and split none."""
    names = {rule.id for rule in table.rules}
    made = {f"{name}_{mark.name}": name for name in names for mark in _MARKS}
    split = {part for new, name in made.items() if new in names for part in (new, name)}
    return [rule for rule in table.rules if rule.when is not None and rule.id not in split]


def _split(parts: Parts, model: DomainModel, mark: _Mark, table: Table, rule: Rule) -> Parts:
    """Return the decision with a rule for marked cases before a rule."""
    rules = get_rules(parts, table)
    number = table.rules.index(rule)
    marked = {
        "id": f"{rule.id}_{mark.name}",
        "when": f"({rules[number]['when']}) and {mark.name}",
        "then": _choose_other_label(model, table, rule),
    }
    return {table.target: {"rules": [*rules[:number], marked, *rules[number:]]}}


def _choose_other_label(model: DomainModel, table: Table, rule: Rule) -> str:
    """Return what is given in every other case, or, where the rule gives that, another label."""
    labels = (format_label(table.rules[-1].then), *list_labels(model, table))
    wanted = [label for label in labels if label and label != format_label(rule.then)]
    return wanted[0]


def _patch(parts: Parts, model: DomainModel, mark: _Mark, decision: Parts) -> Parts:
    # Whoever sends a case states the mark too.
    requests = [add_slots(text, {mark.name: mark.label}) for text in parts.get("requests", ())]
    stated = {
        "role": "input",
        "type": "boolean",
        "yes_share": 35,
        "label": mark.label,
        "description": mark.description,
    }
    return {
        "entities": {model.case.name: {"fields": {mark.name: stated}}},
        "decisions": decision,
        **({"requests": requests} if requests else {}),
    }


OPERATOR = MoreBranches()
