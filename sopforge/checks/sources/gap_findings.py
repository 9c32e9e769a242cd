"""Findings about what a brief says and nothing in the model comes from."""

from __future__ import annotations

from collections.abc import Callable

from sopforge.findings import Finding, make_error_finding
from sopforge.sources.gaps import Gap, GapKind
from sopforge.workspace import DOMAIN

_OR_SET_ASIDE = (
    "cite it under remarks.sources for the items that come from it, or set it aside with a reason"
)


def make_gap_finding(gap: Gap) -> Finding:
    """Return what a reviewer is shown of something that is not accounted for."""
    return _FINDINGS[gap.kind](gap)


def _make_sentence_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "sentence-not-accounted",
        "a sentence of the brief that may bind leads to nothing in the model",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_clause_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "clause-not-accounted",
        f"an exception of the brief leads to nothing in the model: {gap.what!r}",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_figure_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "figure-not-accounted",
        f"a figure of the brief leads to nothing in the model: {gap.what!r}",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_label_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "quoted-label-not-in-model",
        f"the brief names '{gap.what}' in quotation marks, and the model has no such label",
        where=DOMAIN,
        hint="give the model the label as the brief writes it, or set the passage aside",
    )


def _make_name_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "quoted-name-not-in-model",
        f"the brief names `{gap.what}`, and nothing in the model is called so",
        where=DOMAIN,
        hint="call a tool, a field or a label as the brief does, or set the passage aside",
    )


def _make_count_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "outcomes-counted-otherwise",
        f"the brief counts otherwise what is recorded: the model has {gap.what} outcomes and"
        " scored values",
        where=gap.part,
        evidence=gap.sentence,
        hint="make each of them an outcome, or a derived field with scored: true",
    )


def _make_item_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "item-without-source",
        f"'{gap.what}' comes from no passage of the brief, and is no assumption",
        where=DOMAIN,
        hint="name under remarks.sources the sentence that says it, or list it under assumptions",
    )


def _make_addition_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "addition-set-aside",
        f"an addition to the brief says {gap.what!r}, and it is set aside as history",
        where=gap.part,
        evidence=gap.sentence,
        hint="an addition counts before what was said earlier: cite it, and set that aside",
    )


def _make_piece_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "piece-not-accounted",
        f"items cite other pieces of a sentence, and this one leads to nothing: {gap.what!r}",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_aside_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "piece-set-aside",
        f"the brief says of cases that the model has {gap.what!r}, and it is set aside as out of"
        " scope",
        where=gap.part,
        evidence=gap.sentence,
        hint="cite it under remarks.sources for the items that treat these cases as it says",
    )


_FINDINGS: dict[GapKind, Callable[[Gap], Finding]] = {
    GapKind.SENTENCE: _make_sentence_finding,
    GapKind.CLAUSE: _make_clause_finding,
    GapKind.FIGURE: _make_figure_finding,
    GapKind.LABEL: _make_label_finding,
    GapKind.NAME: _make_name_finding,
    GapKind.ITEM: _make_item_finding,
    GapKind.COUNT: _make_count_finding,
    GapKind.ADDITION: _make_addition_finding,
    GapKind.PIECE: _make_piece_finding,
    GapKind.ASIDE: _make_aside_finding,
}
