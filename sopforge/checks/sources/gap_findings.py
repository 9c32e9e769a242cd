"""Findings about what a brief says and nothing in the model comes from."""

from __future__ import annotations

from collections.abc import Callable

from sopforge.findings import Finding, make_error_finding
from sopforge.sources.gaps import Gap, GapKind
from sopforge.workspace import DOMAIN

_OR_SET_ASIDE = (
    "cite the passage under remarks.sources for the items that come from it, or set it aside"
    " with a reason"
)


def make_gap_finding(gap: Gap) -> Finding:
    """Return what a reviewer is shown of something that is not accounted for."""
    return _FINDINGS[gap.kind](gap)


def _make_sentence_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "sentence-not-accounted",
        "a sentence in the brief may be binding, but nothing in the model comes from it",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_clause_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "clause-not-accounted",
        f"nothing in the model comes from this exception in the brief: {gap.what!r}",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_figure_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "figure-not-accounted",
        f"nothing in the model comes from this figure in the brief: {gap.what!r}",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_label_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "quoted-label-not-in-model",
        f"the brief names '{gap.what}' in quotation marks, but the model has no such label",
        where=DOMAIN,
        hint="add the label to the model as the brief writes it, or set the passage aside",
    )


def _make_name_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "quoted-name-not-in-model",
        f"the brief names `{gap.what}`, but nothing in the model has this name",
        where=DOMAIN,
        hint="give a tool, a field or a label this name, or set the passage aside",
    )


def _make_count_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "outcomes-counted-otherwise",
        f"the brief states a different number of recorded values: the model has {gap.what}"
        " outcomes and scored values",
        where=gap.part,
        evidence=gap.sentence,
        hint="declare each recorded value as an outcome, or as a derived field with scored: true",
    )


def _make_item_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "item-without-source",
        f"'{gap.what}' comes from no passage of the brief and is not listed as an assumption",
        where=DOMAIN,
        hint="cite the sentence that states it under remarks.sources, or list it under assumptions",
    )


def _make_addition_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "addition-set-aside",
        f"an addition to the brief says {gap.what!r}, but it is set aside as history",
        where=gap.part,
        evidence=gap.sentence,
        hint="cite the addition, and set the earlier passage aside: additions take precedence",
    )


def _make_piece_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "piece-not-accounted",
        f"items cite other parts of a sentence, but none cites this part: {gap.what!r}",
        where=gap.part,
        evidence=gap.sentence,
        hint=_OR_SET_ASIDE,
    )


def _make_aside_finding(gap: Gap) -> Finding:
    return make_error_finding(
        "piece-set-aside",
        f"the brief says {gap.what!r} about cases in the model, but it is set aside as out of"
        " scope",
        where=gap.part,
        evidence=gap.sentence,
        hint="cite the passage under remarks.sources for the items that treat these cases",
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
