"""Findings about passages of a brief that differ from the items that cite them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.workspace import DOMAIN

_ASSUME = "; if both are right, add an assumption that names the item"
_ASSUME_ALL = "; if both are right, add an assumption that names each of the items"


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
        f"the brief says {doubt.said!r}, but {items or 'the model'} {_conjugate(doubt, 'lack')}"
        " this figure",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nin the model: {doubt.held}",
        hint=f"correct the model, or cite the passage for the item with this figure{_ASSUME}",
    )


def _make_own_figure_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "figure-not-in-source",
        f"{items} {_conjugate(doubt, 'contain')} {doubt.held}, which the cited passages do not"
        " state",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nfigures there: {doubt.said}",
        hint=f"correct the model, or cite the passage that states the figure{_ASSUME}",
    )


def _make_limit_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "limit-differs",
        f"the brief says {doubt.said!r}, but in {items} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"compare with >= if the limit itself is included, otherwise with >{_ASSUME}",
    )


def _make_direction_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "result-differs",
        f"the brief says {doubt.said!r}, but {items} {_conjugate(doubt, 'reverse')} it",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nin the model: {doubt.held}",
        hint=f"swap the results, or reverse the comparison{_ASSUME}",
    )


def _make_label_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "label-not-cited",
        f"the passage names {doubt.said}, but {items} {_conjugate(doubt, 'contain')} only"
        f" {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"cite the passage for the rule with this label, or correct the label{_ASSUME}",
    )


def _make_given_label_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "label-differs",
        f"{items} {_conjugate(doubt, 'give')} {doubt.held}, but the brief names {doubt.said}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the label, or cite the passage that says it{_ASSUME}",
    )


def _make_cell_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "entry-differs",
        f"the brief says {doubt.said!r}, but {items} {_conjugate(doubt, 'contain')} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the entry of the look-up{_ASSUME}",
    )


def _make_exception_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "exception-not-read",
        f"the brief says {doubt.said!r}, but {items or 'the model'} {_conjugate(doubt, 'read')}"
        " no such fact",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=(
            "cite the passage for the rule that reads the fact, or name the fact in the brief's"
            f" words{_ASSUME}"
        ),
    )


def _make_default_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "default-differs",
        f"in all other cases {items} {_conjugate(doubt, 'give')} {doubt.held}, but the brief"
        f" names {doubt.said}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the label{_ASSUME}",
    )


def _make_exchanged_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "figures-exchanged",
        f"the figures of {items} are swapped compared with the brief",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\nin the model: {doubt.held}",
        hint=f"swap the two figures{_ASSUME}",
    )


def _make_order_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "order-differs",
        f"the brief gives the order {doubt.said}, but {items} {_conjugate(doubt, 'use')} the"
        f" order {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"put the rules in the order of the brief{_ASSUME}",
    )


def _make_pair_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "facts-differ",
        f"the brief gives this result for {doubt.said}, but {items} {_conjugate(doubt, 'give')}"
        f" it for {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"correct the condition, or cite the passage for the rule that states it{_ASSUME}",
    )


def _make_answer_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "answer-differs",
        f"{items} {_conjugate(doubt, 'require')} the {doubt.said} to be {doubt.held!r}, but the"
        " brief seems to say the opposite",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"negate the condition{_ASSUME}",
    )


def _make_precedence_finding(doubt: Doubt, items: str) -> Finding:
    first, second = (_name_shortly(name) for name in doubt.items)
    return make_error_finding(
        "rule-tried-too-early",
        f"{items} both apply to {doubt.held}; by the brief ({doubt.said!r}) {second} takes"
        f" precedence, but {first} comes first",
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
        f"the brief lists {doubt.said!r} with others, but {items} {_conjugate(doubt, 'ignore')} it",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=(
            "add it to the rule, or cite the passage for the rule that reads the fact, or name"
            f" the fact in the brief's words{_ASSUME}"
        ),
    )


def _make_scope_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "scope-differs",
        f"the brief says {doubt.said!r}, but in {items} {doubt.held} is on the opposite side",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint="include the cases that the brief includes, and exclude the ones that it"
        f" excepts{_ASSUME}",
    )


def _make_regardless_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "scope-differs",
        f"by the brief ({doubt.said!r}) this makes no difference, but {items}"
        f" {_conjugate(doubt, 'test')} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"remove it from the condition, or exclude these cases from the rule{_ASSUME}",
    )


def _make_apart_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "never-together",
        f"the brief names {doubt.said} together with {doubt.held}, but no case in the model has"
        " both",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\ncited for: {items}",
        hint=f"add both results to the case that the passage describes{_ASSUME}",
    )


def _make_sole_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "others-not-excluded",
        f"the brief says {doubt.said!r}, but in {items} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"write one condition for each of the others, or exclude them all{_ASSUME}",
    )


def _make_absence_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "absence-differs",
        f"the brief says {doubt.said!r}, but {items} {_conjugate(doubt, 'hold')} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"test in the condition whether the value is missing, as the brief says{_ASSUME}",
    )


def _make_unsaid_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "condition-not-in-source",
        f"{items} {_conjugate(doubt, 'test')} {doubt.held}, which the cited passages do not"
        " mention",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"remove the condition, or cite the passage that states it{_ASSUME}",
    )


def _make_unread_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "condition-not-read",
        f"the brief says {doubt.said!r}, but {items} {_conjugate(doubt, 'ignore')} the"
        f" {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"test it in the condition, or cite the passage for the item that tests it{_ASSUME}",
    )


def _make_swapped_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "other-fact-read",
        f"the brief says {doubt.said!r}, but {items} {_conjugate(doubt, 'read')} {doubt.held},"
        " which it does not mention",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"read the fact that the passage names{_ASSUME}",
    )


def _make_lost_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "case-without-rule",
        f"the brief says {doubt.said!r}, which is cited for {items}, the rule for all other"
        " cases, but no rule of the decision tests it",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"add a separate rule for this case before the others{_ASSUME}",
    )


def _make_term_finding(doubt: Doubt, items: str) -> Finding:
    return make_error_finding(
        "term-differs",
        f"the brief says {doubt.said!r}, but {items} {_conjugate(doubt, 'test')} {doubt.held}",
        where=DOMAIN,
        evidence=doubt.quoted,
        hint=f"replace the labels with the condition that has this name{_ASSUME}",
    )


def _make_rest_finding(doubt: Doubt, items: str) -> Finding:
    first, second = (_name_shortly(name) for name in doubt.items)
    return make_error_finding(
        "rest-narrowed",
        f"the brief says {doubt.said!r}, but {first} excludes by {doubt.held} cases that"
        f" {second} leaves to it",
        where=DOMAIN,
        evidence=f"{doubt.quoted}\ncited for: {items}",
        hint=f"reduce the condition of {first} to what both rules test{_ASSUME}",
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
