from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.errors import MaterialError
from sopforge.findings import has_errors, make_error_finding, make_warning_finding
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.variants import build_variant_brief
from sopforge.proof.solving.comparing.models import compare_models
from sopforge.proof.solving.questions import Row
from sopforge.workspace import DOMAIN, Workspace

FOLDER = Path(__file__).parents[2] / "domains"
LIMIT = {"policy": {"open_limit": {"value": 4000}}, "constraints": None}


def brief(domain: str, variants: object, requests: Sequence[str] = ()) -> Brief:
    """Return a test domain whose brief names variants, and how people write."""
    text = (FOLDER / f"{domain}.yaml").read_text(encoding="utf-8")
    whole: Any = read_document(text, domain).value
    complexity = {"levels": ["L0"], "variants": variants}
    model = {**whole["model"], "requests": list(requests)}
    return read_brief(write_document({**whole, "model": model, "complexity": complexity}), domain)


def schema_findings(made: Brief) -> bool:
    domain = OfflineAuthor().write_domain(made)
    return has_errors(examine("schema", Workspace(made, {DOMAIN: domain})))


def branches(model: DomainModel) -> int:
    return sum(len(step.edges) > 1 for step in model.steps.values())


def rules(model: DomainModel) -> int:
    return sum(len(getattr(item, "rules", ())) for item in model.decisions.values())


def test_a_patch_is_merged_into_the_model() -> None:
    plain = brief("orders", {"v2": {"title": "Stricter", "patch": LIMIT}})

    made = build_variant_brief(plain, "v2")

    assert made.parts.domain == "order_release_v2"
    assert made.parts.title == "Stricter"
    assert made.model.policy["open_limit"].constant.value == 4000
    assert made.model.policy["open_limit"].meaning == plain.model.policy["open_limit"].meaning
    assert made.model.policy["prime_factor"] == plain.model.policy["prime_factor"]
    assert made.model.constraints == ()
    assert plain.model.policy["open_limit"].constant.value == 5000


def test_a_variant_has_answers_of_its_own() -> None:
    plain = brief("orders", {"v2": {"patch": LIMIT}})

    variant = build_variant_brief(plain, "v2")

    assert isinstance(compare_models(plain.model, variant.model).answer, Row)


def test_a_variant_of_a_variant_is_none() -> None:
    made = build_variant_brief(brief("orders", {"v2": {"patch": LIMIT}}), "v2")

    assert made.parts.complexity.variants == {}


@pytest.mark.parametrize("domain", ["orders", "warranty"])
def test_each_step_asked_for_is_a_look_up_with_an_exit(domain: str) -> None:
    plain = brief(domain, {"v2": {"more_steps": 2}})

    made = build_variant_brief(plain, "v2")

    assert len(made.model.steps) == len(plain.model.steps) + 2
    assert len(made.model.tools) == len(plain.model.tools) + 2
    assert branches(made.model) == branches(plain.model) + 2
    assert rules(made.model) == rules(plain.model)
    assert not schema_findings(made)


@pytest.mark.parametrize("domain", ["orders", "warranty"])
def test_each_branch_asked_for_splits_another_rule(domain: str) -> None:
    plain = brief(domain, {"v2": {"more_branches": 2}})

    made = build_variant_brief(plain, "v2")

    assert rules(made.model) == rules(plain.model) + 2
    assert len(made.model.inputs) == len(plain.model.inputs) + 2
    assert list(made.model.steps) == list(plain.model.steps)
    assert not schema_findings(made)


def test_whoever_writes_states_what_a_branch_asks() -> None:
    names = [item.name for item in brief("orders", {}).model.inputs]
    request = f"Please release: {', '.join(f'{{{name}}}' for name in names)}."

    made = build_variant_brief(brief("orders", {"v2": {"more_branches": 1}}, [request]), "v2")

    (mark,) = (item for item in made.model.inputs if item.name not in names)
    label = mark.label.capitalize()
    assert made.model.requests == (f"{request}\n{label}: {{{mark.name}}}",)


def test_equal_seeds_make_equal_variants() -> None:
    plain = brief("orders", {"v2": {"more_steps": 1, "more_branches": 1}})

    assert build_variant_brief(plain, "v2").text == build_variant_brief(plain, "v2").text


def test_an_unknown_variant_is_reported_with_those_that_there_are() -> None:
    plain = brief("orders", {"v2": {"patch": LIMIT}})

    with pytest.raises(MaterialError, match="has no variant 'v3'") as caught:
        build_variant_brief(plain, "v3")

    assert caught.value.faults[0].hint == "the variants are v2"


def test_a_patch_with_a_fault_is_reported_by_its_place() -> None:
    wrong = {"policy": {"open_limit": {"worth": 1}}}
    plain = brief("orders", {"v2": {"patch": wrong}})

    with pytest.raises(MaterialError, match="worth") as caught:
        build_variant_brief(plain, "v2")

    assert "complexity.variants.v2.patch.policy.open_limit.worth" in caught.value.faults[0].where


def test_more_branches_than_there_are_rules_are_refused() -> None:
    plain = brief("orders", {"v2": {"more_branches": 8}})

    with pytest.raises(MaterialError) as caught:
        build_variant_brief(plain, "v2")

    assert caught.value.faults[0].message == (
        "more_branches found no place where every case is still decided: the procedure has no rule"
        " or step left that it could change"
    )


def test_the_reason_why_a_place_was_not_sound_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = brief("orders", {"v2": {"more_branches": 1}})
    found = [
        make_warning_finding("field-not-used", "nothing uses it"),
        make_error_finding("gap", "a case is uncovered"),
    ]
    monkeypatch.setattr("sopforge.pipeline.briefs.variants.TRIES", 2)
    monkeypatch.setattr("sopforge.pipeline.briefs.variants._check_schema", lambda _: found)

    with pytest.raises(
        MaterialError, match="2 places were tried; at the first, a case is uncovered"
    ):
        build_variant_brief(plain, "v2")
