"""Findings about an account: what is not accounted for, and where passage and items differ."""

from __future__ import annotations

from dataclasses import replace

from sopforge.authors.sources.account import Account
from sopforge.authors.sources.differences import Difference, DifferenceKind
from sopforge.authors.sources.gaps import Gap, GapKind
from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.workspace import DOMAIN

_OR_SET_ASIDE = (
    "cite the passage under remarks.sources for the items that come from it, or set it aside"
    " with a reason"
)


def make_gap_finding(gap: Gap) -> Finding:
    """Return what a reviewer is shown of something that is not accounted for."""
    match gap.kind:
        case GapKind.SENTENCE:
            message = "a sentence may bind, but less than a quarter of it is cited or set aside"
            return _make_gap(gap, "sentence-not-accounted", message, _OR_SET_ASIDE)
        case GapKind.FIGURE:
            message = f"nothing in the model comes from this figure in the brief: {gap.what!r}"
            return _make_gap(gap, "figure-not-accounted", message, _OR_SET_ASIDE)
        case GapKind.LABEL:
            message = f"the brief names '{gap.what}' in quotation marks, but no label of the model"
            hint = "add the label to the model as the brief writes it, or set the passage aside"
            return _make_gap(gap, "quoted-label-not-in-model", f"{message} is called so", hint)
        case GapKind.NAME:
            message = f"the brief names `{gap.what}`, but nothing in the model has this name"
            hint = "give a tool, a field or a label this name, or set the passage aside"
            return _make_gap(gap, "quoted-name-not-in-model", message, hint)
        case GapKind.ITEM:
            message = f"'{gap.what}' comes from no passage of the brief and is no assumption either"
            hint = "cite the sentence that states it under remarks.sources, or list it under"
            return _make_gap(gap, "item-without-source", message, f"{hint} assumptions")
        case GapKind.ADDITION:
            message = "an addition to the brief is set aside as history, and nothing comes from it"
            hint = "cite the addition, and set the earlier passage aside: additions take precedence"
            return _make_gap(gap, "addition-set-aside", message, hint)


def _make_gap(gap: Gap, code: str, message: str, hint: str) -> Finding:
    where = gap.part or DOMAIN
    return make_error_finding(code, message, where=where, evidence=gap.sentence, hint=hint)


def make_difference_finding(found: Difference, account: Account) -> Finding:
    """Return what a reviewer is shown of a difference between the brief and the model."""
    finding = _describe(found, " and ".join(f"'{name}'" for name in found.items))
    # What the author has stated as an assumption is for a person to judge.
    is_assumed = all(name in account.assumed for name in found.items)
    return replace(finding, severity=Severity.WARNING) if is_assumed else finding


def _describe(found: Difference, items: str) -> Finding:
    verb = "contain" if len(found.items) > 1 else "contains"
    match found.kind:
        case DifferenceKind.FIGURE:
            message = f"the brief says {found.said!r}, but {items} {verb} {found.held}"
            hint = "correct the model, or cite the passage for the item with this figure"
            return _make_difference(found, "figure-not-in-model", message, hint)
        case DifferenceKind.OWN_FIGURE:
            message = f"{items} {verb} {found.held}, which the cited passages do not state"
            hint = "correct the model, or cite the passage that states the figure"
            return _make_difference(found, "figure-not-in-source", message, hint)
        case DifferenceKind.LABEL:
            message = f"the passage names {found.said}, but {items} {verb} {found.held}"
            hint = "correct the label, or cite the passage for the rule with this label"
            return _make_difference(found, "label-differs", message, hint)


def _make_difference(found: Difference, code: str, message: str, hint: str) -> Finding:
    each = "names each of the items" if len(found.items) > 1 else "names the item"
    return make_error_finding(
        code,
        message,
        where=DOMAIN,
        evidence=f"{found.quoted}\nin the passage: {found.said}\nin the model: {found.held}",
        hint=f"{hint}; if both are right, add an assumption that {each}",
    )
