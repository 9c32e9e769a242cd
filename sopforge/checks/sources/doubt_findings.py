"""Findings about passages of a brief that differ from the items that cite them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.workspace import DOMAIN

_ASSUME = "; where both are right, say so under assumptions and name the item there"


def make_doubt_finding(doubt: Doubt, account: Account) -> Finding:
    """Return what a reviewer is shown of a difference between the brief and the model."""
    finding = _FINDINGS[doubt.kind](doubt, " and ".join(f"'{name}'" for name in doubt.items))
    # What the author has stated as an assumption is for a person to judge.
    if doubt.items and all(name in account.assumed for name in doubt.items):
        return replace(finding, severity=Severity.WARNING)
    return finding


def _make_figure_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "figure-not-in-model",
        f"the brief says {doubt.said!r}, of which {items or 'no item'} has nothing",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nin the model: {doubt.held}",
        hint=f"correct the model, or cite the passage for the item with this figure{_ASSUME}",
    )


def _make_own_figure_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "figure-not-in-source",
        f"{items} has {doubt.held}, which the passages cited for it do not say",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nfigures there: {doubt.said}",
        hint=f"correct the model, or cite the passage that says the figure{_ASSUME}",
    )


def _make_limit_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "limit-differs",
        f"the brief says {doubt.said!r}, but in {items} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"compare with >= where the figure itself is meant, else with >{_ASSUME}",
    )


def _make_direction_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "result-differs",
        f"the brief says {doubt.said!r}, and {items} has it the other round",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nin the model: {doubt.held}",
        hint=f"exchange the results, or turn the comparison round{_ASSUME}",
    )


def _make_label_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "label-not-cited",
        f"the passage names {doubt.said}, of which {items} has nothing but {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"cite the passage for the rule with this label, or correct the label{_ASSUME}",
    )


def _make_given_label_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "label-differs",
        f"{items} gives {doubt.held}, where the brief names {doubt.said}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the label, or cite the passage that says it{_ASSUME}",
    )


def _make_cell_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "entry-differs",
        f"the brief says {doubt.said!r}, and {items} has {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the entry of the look-up{_ASSUME}",
    )


def _make_exception_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "exception-not-read",
        f"the brief says {doubt.said!r}, of which {items or 'no item'} reads nothing",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=(
            "cite the passage for the rule that reads it, or call what it reads by the brief's"
            f" words{_ASSUME}"
        ),
    )


def _make_default_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "default-differs",
        f"in all other cases {items} gives {doubt.held}, where the brief names {doubt.said}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the label{_ASSUME}",
    )


def _make_exchanged_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "figures-exchanged",
        f"in the brief the words of {items} stand with each other's figures",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nin the model: {doubt.held}",
        hint=f"exchange the two figures{_ASSUME}",
    )


def _make_order_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "order-differs",
        f"the brief names the order {doubt.said}, and {items} tries {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"put the rules into the order of the brief{_ASSUME}",
    )


def _make_pair_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "facts-differ",
        f"the brief names {doubt.said} beside this result, and {items} gives it for {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the condition, or cite the passage for the rule that has it{_ASSUME}",
    )


def _make_answer_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "answer-differs",
        f"{items} asks that the {doubt.said} be {doubt.held!r}, where the brief seems to say the"
        " opposite",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"turn the condition round{_ASSUME}",
    )


def _make_precedence_finding(doubt: Doubt, items: str) -> Finding:
    first, second = (_name_shortly(name) for name in doubt.items)
    return make_error_finding(
        "rule-tried-too-early",
        f"{items} both apply to {doubt.held}; the brief says {doubt.said!r}, by which {second}"
        f" counts, and {first} is tried before it",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"put {second} before {first}, or narrow the condition of {first}{_ASSUME}",
    )


def _name_shortly(item: str) -> str:
    """Return how a message names a rule or an edge of which it has said the whole name."""
    name = item.rpartition(".")[2]
    return f"edge {name}" if name.isdigit() else name


def _make_listed_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "listed-not-read",
        f"the brief lists {doubt.said!r} with others, and {items} reads nothing of it",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=(
            "add it to the rule, or cite the passage for the rule that reads it, or call what it"
            f" reads by the brief's words{_ASSUME}"
        ),
    )


def _make_scope_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "scope-differs",
        f"the brief says {doubt.said!r}, and in {items} {doubt.held} is on the other side",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"take what the brief includes in, and what it excepts out{_ASSUME}",
    )


def _make_apart_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "never-together",
        f"the brief names {doubt.said} together with {doubt.held}, which no case of the model has",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\ncited for: {items}",
        hint=f"give both in the case that the passage is about{_ASSUME}",
    )


def _make_sole_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "others-not-excluded",
        f"the brief says {doubt.said!r}, and in {items} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"count the others or exclude them, each of them{_ASSUME}",
    )


def _make_absence_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "absence-differs",
        f"the brief says {doubt.said!r}, and {items} holds {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"ask in the condition whether the value is missing, as the brief has it{_ASSUME}",
    )


_FINDINGS: dict[Kind, Callable[[Doubt, str], Finding]] = {
    Kind.FIGURE: _make_figure_finding,
    Kind.OWN_FIGURE: _make_own_figure_finding,
    Kind.LIMIT: _make_limit_finding,
    Kind.DIRECTION: _make_direction_finding,
    Kind.LABEL: _make_label_finding,
    Kind.GIVEN_LABEL: _make_given_label_finding,
    Kind.CELL: _make_cell_finding,
    Kind.EXCEPTION: _make_exception_finding,
    Kind.DEFAULT: _make_default_finding,
    Kind.EXCHANGED: _make_exchanged_finding,
    Kind.ORDER: _make_order_finding,
    Kind.PAIR: _make_pair_finding,
    Kind.ANSWER: _make_answer_finding,
    Kind.PRECEDENCE: _make_precedence_finding,
    Kind.LISTED: _make_listed_finding,
    Kind.SCOPE: _make_scope_finding,
    Kind.APART: _make_apart_finding,
    Kind.SOLE: _make_sole_finding,
    Kind.ABSENCE: _make_absence_finding,
}
