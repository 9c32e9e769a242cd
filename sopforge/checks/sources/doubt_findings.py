"""Findings about passages of a brief that differ from the items that cite them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.workspace import DOMAIN

_ASSUME = "; where both are right, say so under assumptions and name the item there"
_ASSUME_ALL = "; where both are right, say so under assumptions and name each of the items there"


def make_doubt_finding(doubt: Doubt, account: Account) -> Finding:
    """Return what a reviewer is shown of a difference between the brief and the model."""
    finding = _FINDINGS[doubt.kind](doubt, " and ".join(f"'{name}'" for name in doubt.items))
    if len(doubt.items) > 1:
        finding = replace(finding, hint=finding.hint.replace(_ASSUME, _ASSUME_ALL))
    # What the author has stated as an assumption is for a person to judge.
    if doubt.items and all(name in account.assumed for name in doubt.items):
        return replace(finding, severity=Severity.WARNING)
    return finding


def _conjugate(doubt: Doubt, verb: str) -> str:
    """Return a verb as it stands after the items of a doubt."""
    return verb if len(doubt.items) > 1 else f"{verb}s"


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


def _make_regardless_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "scope-differs",
        f"the brief says {doubt.said!r} of what makes no difference, and {items} asks about"
        f" {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"leave it out of the condition, or except these cases from the rule{_ASSUME}",
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
        f"the brief says {doubt.said!r}, and {items} {_conjugate(doubt, 'hold')} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"ask in the condition whether the value is missing, as the brief has it{_ASSUME}",
    )


def _make_unsaid_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "condition-not-in-source",
        f"{items} asks about {doubt.held}, of which the passages cited for it say nothing",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"drop the condition, or cite the passage that makes it{_ASSUME}",
    )


def _make_unread_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "condition-not-read",
        f"the brief says {doubt.said!r}, and {items} {_conjugate(doubt, 'hold')} whatever the"
        f" {doubt.held} is",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"ask about it in the condition, or cite the passage for what does{_ASSUME}",
    )


def _make_swapped_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "other-fact-read",
        f"the brief says {doubt.said!r}, and {items} {_conjugate(doubt, 'read')} {doubt.held},"
        " of which it says nothing",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"read the fact that the passage names{_ASSUME}",
    )


def _make_lost_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "case-without-rule",
        f"the brief says {doubt.said!r}, which is cited for {items}, the case of all others, and no"
        " rule of the decision asks about it",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"give the case a rule of its own before the others{_ASSUME}",
    )


def _make_term_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "term-differs",
        f"the brief says {doubt.said!r}, and {items} asks for {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"use the condition that has the name in the place of labels{_ASSUME}",
    )


def _make_rest_finding(doubt: Doubt, items: str) -> Finding:
    first, second = (_name_shortly(name) for name in doubt.items)
    return make_error_finding(
        "rest-narrowed",
        f"the brief says {doubt.said!r}, and {first} leaves out by {doubt.held} what {second}"
        " leaves to it",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\ncited for: {items}",
        hint=f"have {first} ask no more than what both rules are about{_ASSUME}",
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
    Kind.REGARDLESS: _make_regardless_finding,
    Kind.APART: _make_apart_finding,
    Kind.SOLE: _make_sole_finding,
    Kind.ABSENCE: _make_absence_finding,
    Kind.UNSAID: _make_unsaid_finding,
    Kind.UNREAD: _make_unread_finding,
    Kind.SWAPPED: _make_swapped_finding,
    Kind.LOST: _make_lost_finding,
    Kind.TERM: _make_term_finding,
    Kind.REST: _make_rest_finding,
}
