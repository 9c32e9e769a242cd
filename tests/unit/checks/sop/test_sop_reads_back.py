from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding, Severity
from sopforge.rendering.sop.document import Line, Style, insert_after
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import changed, claims, held_parcels, judged, parcel

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")

MODEL = parcel()
LINES = render_sop(MODEL, "").lines


def found(old: str, new: str) -> list[Finding]:
    """Return what is found where every line says new words for old ones."""
    lines = [replace(line, text=line.text.replace(old, new)) for line in LINES]
    assert lines != list(LINES)
    return list(read_back_findings(MODEL, lines))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        pytest.param(
            "is more than 3 days", "is at least 3 days", "step 6.1, transitions", id="comparator"
        ),
        pytest.param(
            "is more than 3 days", "is more than 4 days", "step 6.1, transitions", id="threshold"
        ),
        pytest.param(
            'the fragile is "yes" or', 'the fragile is "yes" and', "step 6.1, care", id="or"
        ),
        pytest.param(' or the contents include "Glass"', "", "step 6.1, care", id="left out"),
        pytest.param('"careful" if', '"plain" if', "step 6.1, care", id="result"),
        pytest.param('set it to "plain"', 'set it to "careful"', "step 6.1, care", id="rest"),
        pytest.param(
            "is more than 30 USD", "is at least 30 USD", "releaseParcel, too_dear", id="guard"
        ),
        pytest.param('| "Express" | 2 |', '| "Express" | 3 |', "service_points", id="look-up"),
        pytest.param("minus 5 kg", "plus 5 kg", "surcharge", id="formula"),
        pytest.param(
            'Record the release as "held"',
            'Record the release as "released"',
            "step 6.5, end",
            id="end",
        ),
        pytest.param(
            "and close the case.",
            "and hand the case over to the clerk.",
            "step 6.4",
            id="nobody takes over",
        ),
        pytest.param(
            "section 11 (Results),",
            "section 10 (Results),",
            "section 10",
            id="where results are listed",
        ),
        pytest.param(
            "section 11 (Results),",
            "section 99 (Results),",
            "section 99",
            id="no such section",
        ),
        pytest.param(
            "and results (section 11)",
            "and results (section 10)",
            "section 10",
            id="results of a case",
        ),
        pytest.param("the inputs (section 5)", "the inputs (section 6)", "section 6", id="entries"),
        pytest.param("and close the case.", "and keep the case.", "step 6.4", id="no end"),
        pytest.param(
            "parcel_id, weight and service.", "parcel_id and weight.", "step 6.2", id="parameter"
        ),
        pytest.param(
            "go to step 6.5 (Hold)",
            "go to step 6.4 (Done)",
            "step 6.1, transitions",
            id="transition",
        ),
        pytest.param("go to step 6.5 (Hold)", "go to step 6.4 (Hold)", "step 6.4", id="reference"),
        pytest.param("6.5 Hold", "6.6 Hold", "steps", id="number of a step"),
    ],
)
def test_what_differs_from_the_model_is_an_error_with_its_place(
    old: str, new: str, place: str
) -> None:
    first = found(old, new)[0]

    assert (first.id, first.severity) == ("sop-reads-differently", Severity.ERROR)
    assert first.message.startswith(f"{place}: ") or first.message.startswith(f"{place}, ")


def test_a_case_shows_the_difference() -> None:
    (finding,) = found("is more than 3 days", "is at least 3 days")

    # Three days from the due date to the day of dispatch: held by the text, not by the model.
    assert "due_on" in finding.evidence
    assert "sent_on" in finding.evidence


def test_other_words_of_one_meaning_are_a_warning() -> None:
    # At exactly 5 kg both wordings give 0.
    (finding,) = found("if the weight is more than 5 kg", "if the weight is at least 5 kg")

    assert (finding.id, finding.severity) == ("sop-reads-alike", Severity.WARNING)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("Parcels of 3 kg go by night.", "sop-not-read", id="figure"),
        pytest.param('Such parcels are "careful".', "sop-not-read", id="label"),
        pytest.param("Only what is on or after the day counts.", "sop-not-read", id="comparison"),
        pytest.param("Be kind to the driver.", "", id="no rule"),
    ],
)
def test_what_cannot_be_read_as_a_rule_may_not_sound_like_one(text: str, code: str) -> None:
    (place,) = [n for n, line in enumerate(LINES) if line.text == "6.2 Price"]
    lines = insert_after(LINES, place, Line(Style.PARAGRAPH, text))

    assert [item.id for item in read_back_findings(MODEL, lines)] == ([code] if code else [])


def test_a_bound_of_a_loop_ends_its_sentence() -> None:
    model = claims()
    lines = [
        replace(
            line,
            text=line.text.replace("the case after that, ", "the case without a friend, "),
        )
        for line in render_sop(model, "").lines
    ]

    assert {item.id for item in read_back_findings(model, lines)} == {
        "sop-reads-differently",
        "sop-not-read",
    }


@pytest.mark.parametrize(
    "words",
    [
        " only on Mondays.",
        ". Be kind (always).",
        " or go home (early).",
    ],
)
def test_a_reference_names_its_step_and_says_no_more(words: str) -> None:
    (place, *_) = [
        n for n, line in enumerate(LINES) if re.search(r"o(n|) to step .*\)\.$", line.text)
    ]
    line = LINES[place]
    changed = replace(line, text=line.text.removesuffix(".") + words)

    found = list(read_back_findings(MODEL, [*LINES[:place], changed, *LINES[place + 1 :]]))

    assert "sop-reads-differently" in {item.id for item in found}


def test_an_excused_passage_is_never_the_statement_of_a_rule() -> None:
    lines = [
        replace(line, excused="superseded")
        if "this table" in line.text or "careful" in line.text
        else line
        for line in LINES
    ]

    assert "sop-reads-differently" in {item.id for item in read_back_findings(MODEL, lines)}


def test_an_entry_is_introduced_with_its_own_values() -> None:
    findings = found('any of "Books", "Glass", "Medicine"', 'any of "Books", "Glass"')

    assert {item.id for item in findings} == {"sop-field-differs"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Returned by findParcel:", "Returned by priceParcel:", id="tool"),
        pytest.param("| release | release |", "| care | release |", id="label of a result"),
        pytest.param("due_on (due date): ", "due_on (day of dispatch): ", id="label of a value"),
        pytest.param('; any of "Books"', ', or were in it; any of "Books"', id="words after it"),
    ],
)
def test_a_value_is_introduced_where_it_comes_from_and_by_its_label(old: str, new: str) -> None:
    assert {item.id for item in found(old, new)} == {"sop-field-differs"}


HANDED = parcel(("end: {release: held}", "end: {release: held}, hand_to: shift lead"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("over to the shift lead", "over to the driver", "step 6.5: ", id="end"),
        pytest.param("at step 6.5 (Hold) and", "at step 6.4 (Done) and", "escalation: ", id="step"),
        pytest.param("shift lead takes over at", "driver takes over at", "escalation: ", id="role"),
        pytest.param(
            "shift lead takes over the cases",
            "driver takes over the cases",
            "the text does not say: ",
            id="roles",
        ),
    ],
)
def test_who_takes_over_is_read_back(old: str, new: str, said: str) -> None:
    lines = render_sop(HANDED, "").lines
    changed = [replace(line, text=line.text.replace(old, new)) for line in lines]

    (finding,) = read_back_findings(HANDED, changed)

    assert changed != list(lines)
    assert finding.message.startswith(said)


def test_a_check_that_denies_a_value_lets_a_case_without_one_pass() -> None:
    balance = "      balance: {role: observed"
    held = (
        "      held_until: {role: observed, type: date, min: 2026-01-01, max: 2026-12-31,"
        f" missing: not held, description: last day of a hold}}\n  {balance}"
    )
    model = read_brief(
        changed(
            COUNTER,
            (balance, held),
            (
                "        amount: {role: input",
                (
                    "        asked_on: {role: input, type: date, min: 2026-01-01, max: 2026-12-31,"
                    " description: day of the request}\n        amount: {role: input"
                ),
            ),
            ("takes: {source: account,", "takes: {day: asked_on, source: account,"),
            ("target: payee}", "target: payee, day: asked_on}"),
            (
                "requires: {id: T, is: logged_in,",
                (
                    "requires: {id: H, refusal: held, says: it is held, not: {id: H1,"
                    " is: present(source.held_until) and source.held_until >= day}}\n"
                    "      # requires: {id: T, is: logged_in,"
                ),
            ),
        ),
        "counter.yaml",
    ).model
    lines = render_sop(model, "").lines

    (said,) = [line.text for line in lines if line.text.startswith("held ")]
    assert said == (
        'held (transferMoney): refused unless the held until of the paying account is "not held" or'
        " is before the asked on."
    )
    assert list(read_back_findings(model, lines)) == []


def test_a_check_that_is_alike_for_all_records_is_said_once() -> None:
    returns = "      returns: [account.balance, account.blocked, account.owner]"
    checks = (
        "      requires: {id: S, all: [{id: S1, is: logged_in, refusal: no_session, says: nobody},"
        " {id: S2, is: account.balance > 9, refusal: poor, says: too little}]}\n"
    )
    model = read_brief(changed(COUNTER, (returns, checks + returns)), "counter.yaml").model
    lines = render_sop(model, "").lines
    said = [line for line in lines if " (getAccount): " in line.text]

    assert [line.text for line in said] == [
        "no_session (getAccount): the customer is not logged in.",
        "poor (getAccount): the balance of the paying account is at most 9 EUR.",
        "poor (getAccount): the balance of the receiving account is at most 9 EUR.",
    ]
    assert said[0].states == ("guard getAccount[payer].S1", "guard getAccount[payee].S1")
    assert list(read_back_findings(model, lines)) == []
    assert [item.id for item in read_back_findings(model, [*lines[:-1], said[0]])]


@pytest.mark.parametrize("unit", ["percent", "%"])
def test_a_share_by_a_percentage_that_is_worked_out_is_read_back(unit: str) -> None:
    number = {"role": "observed", "type": "number", "places": 1, "description": "figure"}
    weight = {**number, "min": 10.0, "max": 40.0, "unit": "t"}
    admixture = {**number, "min": 0.0, "max": 8.0, "unit": unit}
    deduction = {**weight, "role": "derived", "min": 0.0}
    model = judged(
        {"weight": weight, "admixture": admixture, "deduction": deduction},
        {"R1": ("deduction > 1", "good")},
        formulas={"deduction": "round(weight * max(admixture - 2, 0) / 100, 1)"},
    )
    lines = render_sop(model, "").lines
    said = "\n".join(line.text for line in lines)

    assert "(admixture \N{MINUS SIGN} 2, but at least 0" in said
    assert list(read_back_findings(model, lines)) == []


REASON = "(the surcharge is more than 30 USD)"


@pytest.mark.parametrize(
    ("reason", "is_right"),
    [
        pytest.param("(the surcharge exceeds 30 USD)", True, id="other words"),
        pytest.param("", True, id="without"),
        pytest.param("(the surcharge is at least 30 USD)", False, id="comparator"),
        pytest.param("(the surcharge is more than 20 USD)", False, id="limit"),
        pytest.param("(the surcharge is not more than 30 USD)", False, id="denial"),
        pytest.param("(the moon is full)", False, id="not understood"),
    ],
)
def test_the_reason_of_a_refusal_is_that_of_its_guard(reason: str, *, is_right: bool) -> None:
    model = held_parcels()
    lines = render_sop(model, "").lines
    (place,) = [n for n, line in enumerate(lines) if REASON in line.text]
    text = lines[place].text.replace(f" {REASON}", f" {reason}".rstrip())
    changed_lines = [*lines[:place], replace(lines[place], text=text), *lines[place + 1 :]]

    assert list(read_back_findings(model, lines)) == []
    assert (list(read_back_findings(model, changed_lines)) == []) == is_right
