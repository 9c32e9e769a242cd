"""The words of an SOP alone lead every case to the answers of the model, in every wording."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sopforge.checks.sop.sop_comparison import compare_decisions
from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.language.expressions import Constant, Missing
from sopforge.domain.model import DomainModel, Step
from sopforge.domain.reading import read_brief
from sopforge.domain.rules import HitPolicy, Rule, Table
from sopforge.domain.values.types import encode
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.reading.parsed_sop import SopReader
from sopforge.reading.sop_passages import read_parts
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.decisions import render_decision
from sopforge.rendering.sop.sop import render_sop
from sopforge.rendering.sop.wording import Wording
from tests.conftest import BRIEFS
from tests.faults.sop_faults import Fault, planted
from tests.generators import english as made
from tests.judges.english_back import understood
from tests.judges.sop_walker import list_other_answers
from tests.worlds.small_models import (
    callers,
    claims,
    dispatch,
    lending,
    orders,
    parcel,
    permits,
    stays,
    warranty,
)

NOTHING = "not judged"


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Return a table of made-up conditions; neighbours often have one result."""
    kind = made.FIELDS["speed"].type
    texts = draw(st.lists(made.conditions(2), min_size=1, max_size=5))
    rules = []
    for place, text in enumerate(texts):
        condition = understood(text, None)
        assume(condition is not None)
        assert condition is not None
        label = draw(st.sampled_from((*made.SPEED.values, "")))
        then = Constant(kind, encode(kind, label)) if label else Missing(kind, NOTHING)
        # An SOP says denials of each fact, and reads of what may be missing are guarded there.
        rules.append(Rule(f"R{place}", resolve_denials(condition), then))
    rules.append(Rule("rest", None, Constant(kind, 0)))
    return Table("speed", draw(st.sampled_from((HitPolicy.FIRST, HitPolicy.ANY))), tuple(rules), "")


INTAKE = read_brief((BRIEFS / "patient_intake.yaml").read_text(encoding="utf-8"), "brief").model
SMALL = {
    "callers": callers(),
    "parcel": parcel(),
    "permits": permits(),
    "claims": claims(),
    "orders": orders(),
    "stays": stays(),
    "lending": lending(),
    "dispatch": dispatch(),
    "warranty": warranty(),
}
MODELS = {**SMALL, "patient intake": INTAKE}
SEEDS = range(4)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_text_of_the_model_is_read_back_without_a_difference(model: DomainModel) -> None:
    for seed in (None, *SEEDS):
        document = render_sop(model, "", (), seed)

        assert list(read_back_findings(model, document.lines)) == []


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_who_walks_by_the_text_comes_to_the_answers_of_the_model(model: DomainModel) -> None:
    rows = sample_rows(model, 11, range(200))
    for seed in SEEDS:
        assert list_other_answers(model, render_sop(model, "", (), seed).lines, rows) == []


@pytest.mark.parametrize("share", [6, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("model", SMALL.values(), ids=SMALL)
def test_a_fault_in_the_text_is_found(model: DomainModel, share: int) -> None:
    """Of each kind of fault, those at one place in so many are planted."""
    document = render_sop(model, "", (), 1)
    by_kind: dict[str, list[Fault]] = {}
    for fault in planted(model, document):
        by_kind.setdefault(fault.kind, []).append(fault)

    missed = [
        (fault.kind, fault.text)
        for faults in by_kind.values()
        for fault in faults[::share]
        if not any(read_back_findings(model, fault.document.lines))
    ]

    assert missed == []


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(table=tables(), seed=st.integers(0, 9))
def test_made_up_rules_are_read_back_in_every_wording(table: Table, seed: int) -> None:
    step = Step("judge", "Judge", "", None, ("speed",), (), {})
    fields = {**made.FIELDS, "speed": replace(made.FIELDS["speed"], missing=NOTHING)}
    whole = replace(made.MODEL, fields=fields)
    model = replace(whole, decisions={"speed": table}, steps={"judge": step}, start="judge")
    lines = render_decision(model, "speed", Wording(seed))
    heading = [Line(Style.TITLE, "Title"), Line(Style.STEP, "1.1 Judge")]

    parsed = SopReader(model).read(read_parts([*heading, *lines]))

    assert parsed.unread == []
    found = compare_decisions(
        model, parsed.steps[0].decisions["speed"], table, is_zero_for_none=False
    )
    assert found is None or found.is_alike
