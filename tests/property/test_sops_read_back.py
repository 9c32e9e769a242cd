"""The words of an SOP, read by the grammar alone, are exactly what the model says.

No line is right because it was written: the reader knows the text. A model with a mistake has
another text, unless it answers all cases alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sopforge.artifacts.rendering.sop.alignment import with_text
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.reading import read_statements
from sopforge.artifacts.rendering.sop.sections.decisions import render_decision
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.findings import has_errors
from sopforge.harness.layers.text.read_steps import list_references, read_steps
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.parsing import ExpressionError, parse_condition
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.english.terms import drop_names
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.tables import build_decision_value
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.mutants import Mutant, derive_mutants
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import Row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.comparing.decisions import compare_decisions
from sopforge.proof.solving.examining.missing_values import examine_missing
from sopforge.proof.solving.questions import NoRow
from tests.generators import english as made
from tests.generators import english_domain as domain
from tests.worlds.read_models import find_main_section, list_unread, read_model, without_rules
from tests.worlds.small_models import (
    DOMAINS,
    branches,
    claims,
    derived,
    held_parcels,
    judged,
    observed,
    parcel,
)

ROOT = Path(__file__).parents[2]
LARGE = {path.stem: path for path in sorted((ROOT / "briefs" / "tables").glob("*.yaml"))}
FILES = {
    path.stem: path
    for folder in (ROOT / "briefs", ROOT / "tests" / "briefs", DOMAINS, ROOT / "docs" / "examples")
    for path in sorted(folder.glob("*.yaml"))
    if path.stem != "lines"  # it says of passages where they are tagged, and is no brief
}
MADE: Mapping[str, Callable[[], DomainModel]] = {
    "held parcels": held_parcels,
    "branches": lambda: branches(20, 60, 99),
    "judged": lambda: judged(
        {"age": observed(0, 50), "visits": observed(0, 9), "total": derived(0, 500)},
        {"R1": ("total > 90 or visits >= 7", "good"), "R2": ("age >= 10", "fair")},
        formulas={"total": "min(age + visits * 3, 500)"},
    ),
    "percentages": lambda: parcel(
        ("rate: {value: 1.50, unit: USD", "rate: {value: 1.75, unit: percent"),
        ("(weight - free_weight) * rate if", "round(weight * rate / 100, 2) if"),
    ),
    "units with figures": lambda: parcel(
        ("max: 40.00, unit: kg,", "max: 40.00, unit: units of 12 kg,"),
        ("value: 5, unit: kg", "value: 5, unit: units of 12 kg"),
        ("meaning: weight that costs nothing", "meaning: weight that costs nothing by tariff 77"),
        ("        title: Price\n", "        title: |\n          Price\n          it\n"),
    ),
    "counted rules": lambda: claims(
        ("collect: sum", "collect: count"), ("lines), then: 3", "lines), then: 19")
    ),
}
SOURCES = [
    *(pytest.param(name, id=name) for name in (*FILES, *MADE)),
    *(pytest.param(name, id=name, marks=pytest.mark.exhaustive) for name in LARGE),
]
MISTAKEN = ("callers", "dispatch", "everything", "fees", "kits", "lending", "parcel", "rebooking")


@dataclass(frozen=True)
class Source:
    """A model with its SOP."""

    model: DomainModel
    document: SopDocument

    @property
    def rows(self) -> Sequence[Row]:
        """Some rows of the model."""
        return sample_rows(self.model, 5, range(20))


@cache
def get_source(name: str) -> Source:
    """Return a model and its SOP, with what the brief says besides."""
    path = {**FILES, **LARGE}.get(name)
    if path is not None and "\ntask_context:" in path.read_text(encoding="utf-8"):
        brief = load_brief(path)
        return Source(brief.model, OfflineAuthor().write_sop(brief.model, brief))
    model = MADE[name]() if path is None else read_domain(path.read_text("utf-8"), path.name)
    return Source(model, render_sop(model, ""))


def read_again(source: Source) -> Iterator[Statement]:
    """Yield the statements of an SOP as the grammar reads them in its text."""
    model, document = source.model, source.document
    plain = with_text(SopDocument(()), document.as_text()).statements
    references = list_references(model, find_main_section(document), document.statements)
    return read_statements(Writer(model).words, references, plain)


@pytest.mark.parametrize("name", SOURCES)
def test_a_text_says_what_it_was_written_for_and_nothing_else(name: str) -> None:
    source = get_source(name)

    read = [(item.text, item.term) for item in read_again(source)]

    assert read == [
        (item.text, drop_names(item.term) if item.term and item.kind != "header" else item.term)
        for item in source.document.statements
    ]


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_read_of_the_steps_decides_every_case_as_the_model_does(name: str) -> None:
    source = get_source(name)
    model = source.model

    read = read_model(model, source.document)

    assert read.unread == list_unread(source.document)
    for target in {target for step in model.steps.values() for target in step.decide}:
        stated, known = read.model.decisions[target], model.decisions[target]
        assert compare_decisions(with_what_is_set(model), stated, known) == NoRow()
    for row in source.rows:
        assert list_steps(read.model, row) == list_steps(model, row)


def with_what_is_set(model: DomainModel) -> DomainModel:
    """Return a model in which no case lacks what is set before it is read."""
    fields = {
        name: item if model.may_lack_value(name) else replace(item, missing="")
        for name, item in model.fields.items()
    }
    return replace(model, fields=fields)


def list_steps(model: DomainModel, row: Row) -> list[str]:
    """Return the steps to which a case comes."""
    return [name for name in label_row(model, row).path if name in model.steps]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(pytest.param(name, 5, id=name) for name in MISTAKEN),
        *(
            pytest.param(name, 500, id=f"all {name}", marks=pytest.mark.exhaustive)
            for name in FILES
        ),
    ],
)
def test_a_mistake_that_changes_an_answer_changes_the_text(name: str, count: int) -> None:
    source = get_source(name)
    # What days are holidays is no mistake of the rule that counts them: a list says it.
    mutants = [x for x in derive_mutants(source.model) if x.about is not About.CALENDAR]
    text = render_sop(source.model, "").as_text()

    for mutant in Random(name).sample(mutants, min(count, len(mutants))):  # noqa: S311 - no secrets
        if render_sop(mutant.model, "").as_text() == text:
            # Words that compare a value say that it is there: no SOP says that nobody asks.
            is_none = has_errors(examine_missing(mutant.model))
            assert is_none or not answers_otherwise(source.model, mutant), mutant.words


def answers_otherwise(model: DomainModel, mutant: Mutant) -> bool:
    """Return whether a mutant comes to anything else on some rows."""
    return any(
        label_row(mutant.model, row).known != label_row(model, row).known
        for row in sample_rows(model, 3, range(100))
    )


# made-up tables

WRITER = Writer(domain.MODEL)
SPEED = domain.FIELDS["speed"].type
PRESENT = [
    row
    for seed in range(300)
    if None not in (row := domain.random_row(Random(seed))).values()  # noqa: S311 - no secrets
]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Return a table of made-up conditions; neighbours often have one result."""
    rules = []
    for place, text in enumerate(draw(st.lists(made.conditions(2), min_size=1, max_size=5))):
        try:
            condition = parse_condition(text, domain.SCOPE)
        except ExpressionError:
            assume(condition=False)
            raise
        label = draw(st.sampled_from(domain.SPEED.values))
        rules.append(Rule(f"R{place}", condition, Constant(SPEED, SPEED.encode(label))))
    rules.append(Rule("rest", None, Constant(SPEED, 0)))
    return Table("speed", draw(st.sampled_from((HitPolicy.FIRST, HitPolicy.ANY))), tuple(rules), "")


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables())
def test_made_up_rules_are_read_as_they_are_written(table: Table) -> None:
    step = Step("judge", "Judge", "", None, ("speed",), (), {})
    model = replace(domain.MODEL, decisions={"speed": table}, steps={"judge": step}, start="judge")
    writer = copy(WRITER)
    writer.model = model
    statements = (Statement(Style.STEP, "1.1 Judge"), *render_decision(writer, "speed"))

    read = read_steps(without_rules(model), SopDocument(statements).as_text(), 1, writer)

    assert read.unread == ()
    one, other = (build_decision_value(x) for x in (read.model.decisions["speed"], table))
    assert [evaluate(one, row) for row in PRESENT] == [evaluate(other, row) for row in PRESENT]
