"""Variants that can be misread: what operators make, and what becomes of a case that is misread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from sopforge.artifacts.complexity.deepening import (
    more_exceptions,
    more_order,
    more_parts,
    more_windows,
)
from sopforge.artifacts.complexity.deepening.windows import Sequence, build_window
from sopforge.artifacts.complexity.misreadings import (
    OPERATORS,
    derive_misreadings,
    measure_misreading,
)
from sopforge.artifacts.complexity.model_patches import DeepeningOperator
from sopforge.artifacts.complexity.profile import compute_procedure_figures
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.errors import MaterialError
from sopforge.findings import has_errors
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.rules import Formula
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.tables import build_decision_value
from sopforge.pipeline.briefs.variants import build_variant_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import ORDERS, STAYS

DEEPENING = [item for item in OPERATORS if isinstance(item, DeepeningOperator)]
EACH = pytest.mark.parametrize("operator", DEEPENING, ids=lambda item: str(item.name))
FIGURES = {
    "more_parts": ("parts", 1),
    "more_order": ("ordered_rules", 2),
    "more_windows": ("list_values", 1),
    "more_exceptions": ("decision_depth", 1),
}
"""The figure that each operator raises, and by how much at least."""
CONTACTS = {
    "role": "observed",
    "type": "list",
    "size": 6,
    "empty": "nothing on file",
    "description": "contacts on file",
    "items": {
        "age": {"type": "integer", "min": 1, "max": 90, "description": "days since the contact"},
        "matter": {"type": "enum", "values": ["Request", "Complaint"], "description": "its matter"},
    },
}
LISTED = Sequence("contacts", "contacts", "e.age", "matter", ("Request", "Complaint"), 1, 90, 6, {})


def brief(text: str, asked: Mapping[str, Any]) -> Brief:
    """Return a small domain whose brief names one variant."""
    whole = read_document(text, "small").value
    assert isinstance(whole, dict)
    whole["complexity"] = {"levels": ["L0"], "variants": {"v": dict(asked)}}
    return read_brief(write_document(whole), "small")


def patched(patch: Mapping[str, Any]) -> DomainModel:
    """Return the model of orders with a patch."""
    return build_variant_brief(brief(ORDERS, {"patch": patch}), "v").model


def contact_values(kind: str, limit: int) -> tuple[DomainModel, DomainModel, str]:
    """Return orders with a window on contacts, the same misread, and the condition's field."""
    window = build_window(LISTED, kind, "Complaint", limit)
    fields = {"contacts": CONTACTS, **window.fields}
    model = patched(
        {
            "entities": {"order": {"fields": fields}},
            "tools": {"getOrder": {"returns": ["customer_id", "amount", "ordered_on", "contacts"]}},
            "decisions": {name: {"value": value} for name, value in window.values.items()},
        }
    )
    return model, more_windows.OPERATOR.misread(model), f"contacts_{kind}"


def work_out(model: DomainModel, name: str, contacts: list[tuple[int, str]]) -> object:
    """Return a value that follows from contacts, each with its age and matter."""
    codes = {"Request": 0, "Complaint": 1}
    row: dict[str, Any] = {
        "contacts": tuple({"age": age, "matter": codes[matter]} for age, matter in contacts)
    }
    for target, decision in model.decisions.items():
        if target.startswith("contacts") and isinstance(decision, Formula):
            row[target] = evaluate(decision.value, row)
    return row[name]


@EACH
def test_a_variant_is_accepted_and_can_be_misread(operator: DeepeningOperator) -> None:
    plain = brief(ORDERS, {operator.name: 1})
    made = build_variant_brief(plain, "v")
    figure, least = FIGURES[operator.name]

    assert not has_errors(
        examine("schema", Workspace(made, {DOMAIN: OfflineAuthor().write_domain(made)}))
    )
    assert list(derive_misreadings(made.model)) == [operator.misreading]
    assert measure_misreading(made.model, operator, 1) > 10
    before, after = (
        compute_procedure_figures(model, ())[figure] for model in (plain.model, made.model)
    )
    assert isinstance(before, int)
    assert isinstance(after, int)
    assert after >= before + least


@EACH
def test_equal_seeds_make_equal_variants(operator: DeepeningOperator) -> None:
    plain = brief(ORDERS, {operator.name: 1})

    assert build_variant_brief(plain, "v").text == build_variant_brief(plain, "v").text


def test_a_plain_domain_has_nothing_to_misread() -> None:
    assert derive_misreadings(brief(ORDERS, {}).model) == {}


def test_several_exceptions_stand_beside_each_other() -> None:
    made = build_variant_brief(brief(STAYS, {"more_exceptions": 2}), "v").model

    assert {"first_exception", "second_exception"} <= {*made.fields}


@pytest.mark.parametrize("name", ["more_parts", "more_order"])
def test_a_domain_without_room_says_so(name: str) -> None:
    plain = brief(ORDERS, {name: 3})

    with pytest.raises(MaterialError, match=f"{name} found no place"):
        build_variant_brief(plain, "v")


LATE = [(2, "Complaint"), (2, "Request"), (9, "Complaint"), (30, "Complaint"), (80, "Complaint")]


@pytest.mark.parametrize(
    ("kind", "contacts", "right", "misread"),
    [
        # The three latest days are 2, 9 and 30 days ago: the complaint of day 80 is beyond them.
        pytest.param("recent", LATE, 3, 4, id="recent"),
        pytest.param("recent", LATE[:2], 1, 1, id="recent of a short list"),
        pytest.param("recent", [], 0, 0, id="recent of no entry"),
        # The request of day 40 ends the run.
        pytest.param("run", [(5, "Complaint"), (40, "Request"), (70, "Complaint")], 1, 2, id="run"),
        pytest.param("run", LATE[2:], 3, 3, id="run without another one"),
        # From day 2 to day 9, and not to day 80.
        pytest.param("gap", LATE, 7, 78, id="gap"),
        pytest.param("gap", [], 0, 0, id="gap of no entry"),
    ],
)
def test_a_window_takes_the_latest_entries_alone(
    kind: str, contacts: list[tuple[int, str]], right: int, misread: int
) -> None:
    model, other, name = contact_values(kind, 1)

    assert work_out(model, name, contacts) == right
    assert work_out(other, name, contacts) == misread


def test_who_stops_at_the_first_exception_has_it_apply_although_it_is_set_aside() -> None:
    truth = {"role": "derived", "type": "boolean", "description": "whether it is so"}
    model = patched(
        {
            "entities": {
                "order": {"fields": {"first_exception": truth, "first_exception_aside": truth}}
            },
            "decisions": {
                "first_exception": {"value": "amount > 100 and not first_exception_aside"},
                "first_exception_aside": {"value": "amount > 500"},
            },
        }
    )
    other = more_exceptions.OPERATOR.misread(model)

    # 600.00 is above 100 and above 500; 200.00 is above 100 alone; 50.00 is above neither.
    found = []
    for amount, is_aside in ((60000, 1), (20000, 0), (5000, 0)):
        row = {"amount": amount, "first_exception_aside": is_aside}
        values = (
            build_decision_value(item.decisions["first_exception"]) for item in (model, other)
        )
        found.append([evaluate(value, row) for value in values])
    assert found == [[0, 1], [1, 1], [0, 0]]


def test_who_tries_the_rules_in_reverse_takes_the_last_that_applies() -> None:
    rules = [
        {"id": "ahead", "when": "amount > 100", "then": "released"},
        {"id": "R1", "when": "amount > 500", "then": "refused"},
        {"id": "later", "when": "amount > 50", "then": "held"},
        {"id": "R3", "otherwise": "refused"},
    ]
    model = patched({"decisions": {"release": {"hit": "first", "rules": rules}}})
    other = more_order.OPERATOR.misread(model)

    values = [build_decision_value(item.decisions["release"]) for item in (model, other)]
    labels = ("released", "held", "refused")
    found = [[labels[int(str(evaluate(v, {"amount": n})))] for v in values] for n in (60000, 1000)]
    assert found == [["released", "held"], ["refused", "refused"]]


def test_who_leaves_a_part_out_goes_on_as_after_a_good_result() -> None:
    made = build_variant_brief(brief(ORDERS, {"more_parts": 1}), "v").model
    other = more_parts.OPERATOR.misread(made)

    callers = [step for step in made.steps.values() if step.do]
    assert len(callers) > 1
    for step in callers:
        assert len(step.edges) == 2
        left = other.steps[step.id]
        assert (left.do, [edge.to for edge in left.edges]) == ("", [step.edges[1].to])
