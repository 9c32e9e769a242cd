"""A preview shows unlike cases with the facts that decide them, and what the checks find."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.findings import has_errors
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.runs.preview import Preview, preview
from sopforge.pipeline.runs.shown_cases import ShownCase
from sopforge.store.opening import open_store
from tests.unit.authors.test_model_author import (
    FEES,
    MODEL_TEXT,
    PLAYERS,
    Played,
    Player,
    brief_of,
    derived_sop,
    run,
    with_paragraph,
    written,
)


def looked_at(store: Path, players: Mapping[str, Player]) -> Preview:
    brief = brief_of()
    author = ModelAuthor(brief.parts.writer, Played({**PLAYERS, **players}))
    return preview(open_store(store), brief, author)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Preview:
    return looked_at(tmp_path_factory.mktemp("store"), {})


def judged(case: ShownCase) -> tuple[str, str]:
    """Return lateness and fee of a loan by the rules of the library, from the facts alone."""
    days = int(case.facts["days_late"])
    if days == 0:
        return "in time", "no fee due"
    if days <= 3 and case.facts["kind"] != "Film":
        return "tolerated", "no fee due"
    fee = Decimal("12.50") if days > 10 else days * Decimal("1.25")
    return "charged", f"{fee:.2f}"


def test_the_cases_have_all_answers_and_follow_from_their_facts(shown: Preview) -> None:
    answers = [(case.answers["lateness"], case.answers["fee"]) for case in shown.cases]

    assert len(set(answers)) == len(answers) == 5
    assert {lateness for lateness, _ in answers} == {"in time", "tolerated", "charged"}
    assert [judged(case) for case in shown.cases] == answers


def test_each_case_names_the_rules_and_edges_that_decided_it(shown: Preview) -> None:
    for case in shown.cases:
        days = int(case.facts["days_late"])
        rules = {"in time": "L1", "tolerated": "L2", "charged": "L3"}
        wanted = [f"by rule {rules[case.answers['lateness']]}:"]
        if case.answers["lateness"] == "charged":
            wanted.append(f"by rule {'F1' if days > 10 else 'F2'}:")
        text = "\n".join(case.because)
        assert [word for word in wanted if word not in text] == []
        assert text.count("rule ") == len(wanted)
        assert ("it goes on to Work the fee out:" in text) == (len(wanted) == 2)
    tolerated = next(case for case in shown.cases if case.answers["lateness"] == "tolerated")
    assert f"(delay: {tolerated.facts['days_late']})" in tolerated.because[0]


def test_what_is_found_is_what_a_run_finds_at_its_first_gates(
    shown: Preview, tmp_path: Path
) -> None:
    run(tmp_path, {})

    store = open_store(tmp_path)
    first = [
        store.get_domain("fees").list_versions(stage)[-1].manifest for stage in ("schema", "sop")
    ]
    assert list(shown.findings) == [item for made in first for item in made.findings]
    assert not has_errors(shown.findings)


def test_the_section_is_one_of_the_sop(shown: Preview) -> None:
    assert shown.section is not None
    assert shown.section.as_text().strip() in derived_sop().as_text()


def test_a_section_that_says_more_than_the_model_is_found_and_still_shown(tmp_path: Path) -> None:
    lie = "After 17 days the fee doubles."

    found = looked_at(tmp_path, {"sop_section": with_paragraph(lie)})

    assert has_errors(found.findings)
    assert any(lie in item.evidence for item in found.findings)
    assert found.section is not None
    assert lie in found.section.as_text()
    assert len(found.cases) == 5


def test_a_domain_with_errors_shows_what_is_wrong_and_no_cases(tmp_path: Path) -> None:
    # A fee below 0, which its field does not have.
    broken = MODEL_TEXT.replace("days_late * daily_fee", "days_late * daily_fee - most")
    repairing = {"repair_findings": lambda values: {"document": values["document"]}}

    found = looked_at(tmp_path, {"domain_model": written(broken), **repairing})

    assert has_errors(found.findings)
    assert (found.model, list(found.cases), found.section) == (None, [], None)


def test_an_offline_domain_is_checked_as_well(tmp_path: Path) -> None:
    text = FEES.replace("\ndataset:", '\ncontext: ["A fee is due after 9 days."]\ndataset:')
    brief = read_brief(text, "fees.yaml")

    found = preview(open_store(tmp_path), brief, OfflineAuthor())

    # Nothing of the model is 9: the addition is pointed out as a run would do.
    assert any("9" in item.message for item in found.findings)
    assert found.section == OfflineAuthor().write_sop(brief.model, brief)
