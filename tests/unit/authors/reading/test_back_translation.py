"""A reader's rules are read strictly and proved to be the model's, or a case shows the difference.

The right answers for the fees are written by hand; for larger domains they come from the brief's
text by ``RightReader``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.authors.prompts.outputs import OUTPUTS
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.reading.back_translation import TEMPLATE, ReadBack, read_back
from sopforge.authors.writers.reading.stated_rules import read_stated_rules
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import load_brief
from tests.judges.second_readers import EMPTY, Answer, RightReader
from tests.worlds.small_models import DOMAINS, changed

ROOT = Path(__file__).parents[4]
FEES = load_brief(ROOT / "tests" / "briefs" / "fees.yaml")
STEPS = ("6.1", "6.2", "6.3")

LATENESS: Answer = {
    "field": "lateness",
    "hit": "first",
    "rules": [
        {"when": "days_late == 0", "then": "in time"},
        {"when": "days_late <= 3 and kind in ['Book', 'Reference']", "then": "tolerated"},
        {"when": "", "then": "charged"},
    ],
    "sentence": "Determine the lateness. Use the first rule that applies:",
}
FEE: Answer = {
    "field": "fee",
    "hit": "first",
    "rules": [
        {"when": "days_late <= 10", "then": "days_late * 1.25"},
        {"when": "", "then": "12.5"},
    ],
    "sentence": "Determine the fee. Use the first rule that applies:",
}


def transition(when: str, to: str, **more: Any) -> Answer:  # noqa: ANN401 - parts of an answer
    return {"when": when, "to": to, "at_most": 0, "then": "", "sentence": "", **more}


FIRST: Answer = {
    **EMPTY,
    "decisions": [LATENESS],
    "transitions": [transition("lateness != 'charged'", "6.3"), transition("", "6.2")],
}
SECOND: Answer = {**EMPTY, "decisions": [FEE], "transitions": [transition("", "6.3")]}


def reading(
    *answers: Answer, brief: Brief = FEES, document: SopDocument | None = None
) -> tuple[ReadBack, list[Mapping[str, Any]]]:
    """Return what is found where the answers are given in turn, and what was asked with."""
    asked: list[Mapping[str, Any]] = []

    def ask(template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        assert template == TEMPLATE
        asked.append(values)
        answer = answers[len(asked) - 1]
        OUTPUTS[template].model_validate(answer)
        return answer

    written = document or OfflineAuthor().write_sop(brief.model, brief)
    return read_back(ask, brief.model, brief, written), asked


def with_rules(decision: Answer, place: int, **changes: str) -> Answer:
    rules = [dict(rule) for rule in decision["rules"]]
    rules[place].update(changes)
    return {**decision, "rules": rules}


def test_a_right_answer_in_other_words_is_proved_equal() -> None:
    found, asked = reading(FIRST, SECOND)

    assert (found.findings, found.passages, found.rules) == ((), 2, 4)
    assert [item["passage"].split("\n")[1] for item in asked] == [
        "6.1 Look the loan up",
        "6.2 Work the fee out",
    ]


def test_a_reader_receives_neither_rules_nor_policy() -> None:
    _, asked = reading(FIRST, SECOND)

    first = {name: part for name, part in asked[0].items() if name not in {"passage", "operators"}}
    assert "grace" not in str(first)
    assert "12.5" not in str(asked[0])
    assert "Take the steps in order unless" in asked[0]["conventions"]


def test_a_shifted_threshold_gives_the_boundary_and_both_answers() -> None:
    shifted = with_rules(LATENESS, 1, when="days_late < 3 and kind != 'Film'")

    found, _ = reading({**FIRST, "decisions": [shifted]}, SECOND)

    (finding,) = found.findings
    assert finding.id == "reread-differs"
    assert finding.where == "6.1 Look the loan up"
    assert (
        finding.message == "lateness: the reader understands charged, but the model says tolerated"
    )
    assert finding.evidence == "kind = Book, days_late = 3"
    assert '"Determine the lateness. Use the first rule that applies:"' in finding.hint


@pytest.mark.parametrize(
    ("transitions", "evidence"),
    [
        pytest.param(
            [transition("", "6.3")], "lateness = charged", id="one transition is not seen"
        ),
        pytest.param(
            [
                transition("lateness == 'charged'", "6.2", at_most=2, then="6.3"),
                transition("", "6.3"),
            ],
            "lateness = charged",
            id="a bound that is not there",
        ),
        pytest.param(
            [transition("lateness == 'charged'", "6.2")],
            "lateness = in time",
            id="nothing for the rest",
        ),
    ],
)
def test_other_transitions_are_shown_by_a_case(transitions: list[Answer], evidence: str) -> None:
    found, _ = reading({**FIRST, "transitions": transitions}, SECOND)

    (finding,) = found.findings
    assert finding.id == "reread-differs"
    assert finding.message.startswith("transitions: the reader ")
    assert evidence in finding.evidence


def test_what_cannot_be_read_goes_back_once_and_is_corrected() -> None:
    broken = with_rules(LATENESS, 0, when="delay == 0")

    found, asked = reading({**FIRST, "decisions": [broken]}, FIRST, SECOND)

    assert found.findings == ()
    assert asked[1]["before"] == [{**FIRST, "decisions": [broken]}]
    (returned,) = asked[1]["findings"]
    assert returned["about"] == "lateness"
    assert returned["message"].startswith("lateness.rules.0.when: ")
    assert "'delay'" in returned["message"]


def test_a_figure_beyond_what_the_field_can_hold_is_compared_and_not_sent_back() -> None:
    found, asked = reading(FIRST, {**SECOND, "decisions": [with_rules(FEE, 1, then="1250")]})

    assert len(asked) == 2
    (finding,) = found.findings
    assert finding.message == "fee: the reader understands 1250.00, but the model says 12.50"
    assert finding.evidence == "days_late = 11"


def test_what_still_cannot_be_read_counts_and_hides_nothing_else() -> None:
    broken = {
        **FIRST,
        "decisions": [with_rules(LATENESS, 0, when="days_late = 0")],
        "transitions": [transition("", "6.3")],
    }

    found, asked = reading(broken, broken, SECOND)

    assert len(asked) == 3
    assert [item.id for item in found.findings] == ["reread-unreadable", "reread-differs"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"decisions": [{**FEE, "field": "fine"}]}, id="no such field"),
        pytest.param({"decisions": [{**FEE, "field": "days_late"}]}, id="a field nobody decides"),
        pytest.param({"decisions": [{**FEE, "rules": []}]}, id="no rules"),
        pytest.param({"decisions": [{**FEE, "hit": "value"}]}, id="an expression in two rows"),
        pytest.param(
            {"decisions": [{**FEE, "hit": "value", "rules": [{"when": "", "then": "fee"}]}]},
            id="what it decides by itself",
        ),
        pytest.param(
            {"decisions": [with_rules(LATENESS, 1, when="days_late <= grace_days")]},
            id="a name of the policy for a figure",
        ),
        pytest.param({"decisions": [with_rules(LATENESS, 0, then="early")]}, id="no such label"),
        pytest.param({"decisions": [LATENESS, {**LATENESS, "hit": "any"}]}, id="stated twice"),
        pytest.param({"transitions": [transition("", "7.1")]}, id="no such step"),
        pytest.param({"transitions": [transition("__import__('os')", "6.3")]}, id="a program"),
        pytest.param({"refused": [{"code": "x", "to": "", "sentence": ""}]}, id="to no step"),
        pytest.param(
            {
                "guards": [
                    {"tool": "t", "condition": "kind == 'Film'", "refusal": "r", "sentence": ""}
                ]
            },
            id="no such tool",
        ),
        pytest.param({"ends": [{"field": "fee", "value": "much", "sentence": ""}]}, id="no value"),
    ],
)
def test_what_is_no_rule_of_the_language_is_not_taken_for_one(answer: Answer) -> None:
    stated = read_stated_rules(FEES.model, {**EMPTY, **answer}, STEPS)

    assert len(stated.unreadable) == 1
    assert not set(stated.rules) - {"lateness"} or answer.get("decisions") is None


def test_a_rule_that_is_not_stated_and_one_that_is_added_are_found() -> None:
    added = {"field": "fee", "value": "0", "sentence": "No fee is due."}

    found, _ = reading({**FIRST, "ends": [added]}, {**SECOND, "decisions": []})

    assert [(item.id, item.where) for item in found.findings] == [
        ("reread-added", "6.1 Look the loan up"),
        ("reread-not-read", "6.2 Work the fee out"),
    ]


def test_a_sentence_in_doubt_is_a_note() -> None:
    doubt = {"sentence": "The fee is 12.50 EUR.", "why": "per day?"}

    found, _ = reading(FIRST, {**SECOND, "unclear": [doubt]})

    (note,) = found.findings
    assert (note.id, note.severity, note.hint) == ("reread-unclear", "note", "per day?")


def test_what_the_solver_cannot_decide_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sopforge.proof.solving.budgets.QUESTION", 1)

    found, _ = reading(FIRST, SECOND)

    assert {item.id for item in found.findings} == {"reread-undecided"}
    assert {item.severity for item in found.findings} == {"warning"}


def test_what_is_undecided_is_decided_in_narrower_ranges() -> None:
    # 100160063 is 10007 * 10009; no loan is as late as that, but that takes a solver some time.
    text = (ROOT / "tests" / "briefs" / "fees.yaml").read_text(encoding="utf-8")
    days = "days_late: {label: delay, role: observed, type: integer, min: 0, max: 40,"
    weeks = days.replace("days_late: {label: delay", "weeks: {label: weeks on loan")
    wide = changed(
        text,
        (days, f"{weeks} description: weeks}}\n        {days}"),
        ("returns: [days_late]", "returns: [days_late, weeks]"),
        ("when: days_late == 0, then", "when: days_late * weeks == 100160063, then"),
        ("max: 60.00", "max: 6000000.00"),
        ("max: 40,", "max: 900000,"),
    )
    never = {**LATENESS["rules"][0], "when": "days_late < 0"}
    answer = {**FIRST, "decisions": [{**LATENESS, "rules": [never, *LATENESS["rules"][1:]]}]}

    before, _ = reading(answer, SECOND, brief=read_brief(wide, "fees.yaml"))
    narrow = changed(wide, ("max: 900000,", "max: 40,"))
    after, _ = reading(answer, SECOND, brief=read_brief(narrow, "fees.yaml"))

    (finding,) = before.findings
    assert finding.id == "reread-undecided"
    assert "narrow the ranges (min, max) of the fields that the rule reads" in finding.hint
    assert after.findings == ()


def test_own_paragraphs_are_listed_with_what_is_read_from_them() -> None:
    mild = "Readers who bring a film back late owe nothing."
    document = OfflineAuthor().write_sop(FEES.model, FEES)
    added = {"1. Purpose": "Late returns cost other readers time.", "6.2 Work the fee out": mild}
    statements = [
        x
        for item in document.statements
        for x in (
            item,
            *(Statement(Style.PARAGRAPH, y) for at, y in added.items() if at == item.text),
        )
    ]
    fee = {
        **FEE,
        "sentence": mild,
        "rules": [{"when": "kind == 'Film'", "then": "0"}, *FEE["rules"]],
    }

    found, asked = reading(
        EMPTY, FIRST, {**SECOND, "decisions": [fee]}, document=SopDocument(tuple(statements))
    )

    assert [item["passage"].split("\n")[1] for item in asked] == [
        "1. Purpose",
        "6.1 Look the loan up",
        "6.2 Work the fee out",
    ]
    assert [(item.where, item.text, item.read_as) for item in found.own] == [
        ("1. Purpose", "Late returns cost other readers time.", ()),
        ("6.2 Work the fee out", mild, ("fee",)),
    ]
    (finding,) = found.findings
    assert (finding.id, finding.evidence) == ("reread-differs", "kind = Film, days_late = 1")


SHIPPED = [*sorted((ROOT / "briefs").glob("*.yaml")), *sorted(DOMAINS.glob("[eosw]*.yaml"))]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.stem))
def test_a_reader_who_understands_all_is_proved_right(path: Path) -> None:
    brief = load_brief(path)
    reader = RightReader(brief)

    found = read_back(
        lambda _, values: reader(values),
        brief.model,
        brief,
        OfflineAuthor().write_sop(brief.model, brief),
    )

    stated = [
        item for step in brief.model.steps.values() for item in (*step.decide, *step.edges[:1])
    ]
    assert (found.findings, found.own) == ((), ())
    assert found.rules >= len(stated)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        pytest.param("patient_age < 18", "patient_age <= 18", "transitions", id="an edge"),
        pytest.param(
            "lifestyle_score >= 5", "lifestyle_score > 5", "lifestyle_risk_level", id="row"
        ),
        pytest.param("4 if 'Card", "5 if 'Card", "surgery_points", id="a formula"),
        pytest.param(
            "pharmacy_check == 'confirmed'",
            "pharmacy_check == 'declined'",
            "registerPatient",
            id="guard",
        ),
        pytest.param("on hold", "refused", "user_registration at the end", id="an end"),
    ],
)
def test_each_kind_of_misreading_is_found(old: str, new: str, name: str) -> None:
    brief = load_brief(ROOT / "briefs" / "patient_intake.yaml")
    reader = RightReader(brief)

    def misread(part: Any) -> Any:  # noqa: ANN401 - any part of an answer
        match part:
            case str():
                return part.replace(old, new)
            case list():
                return [misread(item) for item in part]
            case dict():
                return {key: misread(item) for key, item in part.items()}
            case _:
                return part

    found = read_back(
        lambda _, values: misread(reader(values)),
        brief.model,
        brief,
        OfflineAuthor().write_sop(brief.model, brief),
    )

    assert found.findings
    assert all(item.id == "reread-differs" for item in found.findings)
    assert all(item.message.startswith(name) and item.evidence for item in found.findings)


def test_a_brief_without_a_model_is_read_back_by_the_stored_one() -> None:
    prose = read_brief(FEES.text.replace("author: offline", "author: anthropic"), "fees.yaml")
    found = read_back(
        lambda _, values: RightReader(FEES)(values),
        FEES.model,
        prose,
        OfflineAuthor().write_sop(FEES.model, FEES),
    )
    assert found.findings == ()


def test_a_step_is_asked_about_with_the_definitions_of_the_conditions_that_it_names() -> None:
    brief = load_brief(ROOT / "briefs" / "dangerous_goods.yaml")
    reader = RightReader(brief)
    sop = OfflineAuthor().write_sop(brief.model, brief)

    read_back(lambda _, values: reader(values), brief.model, brief, sop)

    (asked,) = [item for item in reader.asked if "has a toxic hazard (see" in item["passage"]]
    assert (
        '- The product has a toxic hazard if the hazard class is "Class 6.1' not in asked["passage"]
    )
    assert (
        'The product has a toxic hazard if the hazard class is "Class 6.1' in asked["conventions"]
    )
