"""The SOP of a domain with every feature: lists, calendars, hit policies, bounded loop edges."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import claims

LINES = render_sop(claims(), "").as_text().splitlines()


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param(
            "Each case comes with the following inputs. Lists are given entry by entry, or as JSON"
            " in brackets.",
            id="form of lists",
        ),
        pytest.param(
            "Pass lines to a tool as a list; if the input states that there is none, pass an empty"
            " list.",
            id="what tools take for lists",
        ),
        pytest.param(
            '- lines (lines of the claim): what was spent; each entry has kind (one of "Meal",'
            ' "Hotel", "Taxi"), amount (in USD; a number with 2 decimal places), has_receipt ("yes"'
            ' if a receipt is attached, otherwise "no") and extras (any of "Tip", "Drinks");'
            ' "no line" if there is none.',
            id="list",
        ),
        pytest.param(
            "- earlier_claims: claims of the year so far; each entry has paid (in USD; a number"
            ' with 2 decimal places) and was_late ("yes" or "no"); "no earlier claim" if there is'
            ' none, "file not found" if it is missing.',
            id="a list that may be missing",
        ),
        pytest.param(
            "See also section 7 (How to read the rules), section 11 (Results), section 12 (Annex:"
            " Data dictionary) and section 13 (Annex: How values are worked out).",
            id="explanations",
        ),
        pytest.param(
            "- Holidays (days on which the office is closed): 2026-01-01,"
            " 2026-01-17, 2026-04-03, 2026-04-06, 2026-05-01.",
            id="holidays",
        ),
        pytest.param(
            "Work out the risk. Add up all that apply; if none applies, it is zero:",
            id="collected rules",
        ),
        pytest.param(
            "- 3 points if there is a line of the claim for which no receipt is attached.",
            id="a rule that is collected",
        ),
        pytest.param(
            "- 2 points if the dearest line exceeds the limit of a line.",
            id="another rule that is collected",
        ),
        pytest.param(
            "Determine the review (kind_of_review) from this table. Several rows may apply; they"
            " then agree:",
            id="rules that agree",
        ),
        pytest.param(
            'If the frozen account is "yes" or (there is a line of the claim whose amount is more'
            " than 50 USD and for which no receipt is attached),"
            " repeat this step, at most twice; if this is still the case after that, go to step 6.9"
            " (Send the claim back).",
            id="loop edge",
        ),
        pytest.param(
            "If any of the following applies, go to step 6.8 (Decline the claim):",
            id="an edge with three conditions",
        ),
        pytest.param(
            "- The paid part of the meals, in USD: (the total amount of the lines of the claim"
            ' whose kind is "Meal") times 0.125, rounded to 2 decimal'
            " places.",
            id="rounded formula",
        ),
        pytest.param(
            "- The working days taken: the number of working days from the"
            " last day of the trip to the day of receipt.",
            id="a count names its unit",
        ),
        pytest.param(
            "- wrong_code: the pin differs from the code on file.",
            id="a guard that reads the record",
        ),
    ],
)
def test_the_text_states_it(sentence: str) -> None:
    assert sentence in LINES


def test_six_returned_values_stand_one_below_the_other() -> None:
    place = LINES.index("Call addUp with lines, grade and region. It returns:")

    assert LINES[place + 1] == "  - the total of the claim;"
    assert LINES[place + 6] == "  - the limit of a line."
    assert not LINES[place + 7].startswith("  - ")


@pytest.mark.parametrize(
    ("collect", "rest", "sentence"),
    [
        pytest.param(
            "sum",
            "",
            "Add up all that apply; if none applies, it is zero:",
            id="sum",
        ),
        pytest.param("sum", "otherwise", "Add up all that apply:", id="sum with a rest"),
        pytest.param(
            "max",
            "",
            "Take the largest value that applies; at least one does:",
            id="max",
        ),
        pytest.param(
            "min",
            "otherwise",
            "Take the smallest value that applies:",
            id="min with a rest",
        ),
        pytest.param(
            "count",
            "",
            "Count the conditions that hold; if none holds, it is zero:",
            id="count",
        ),
        pytest.param("count", "otherwise", "Count the conditions that hold:", id="count, rest"),
    ],
)
def test_collected_rules_say_how_they_combine(collect: str, rest: str, sentence: str) -> None:
    lines = lines_of_collected(collect, rest)

    assert f"Work out the risk. {sentence}" in lines
    assert ("- If none of these applies, the risk is 7 points." in lines) == bool(rest)


def test_the_results_of_rules_that_are_counted_are_not_stated() -> None:
    lines = lines_of_collected("count", "")

    assert "- The dearest line exceeds the limit of a line." in lines
    assert not [line for line in lines if "points if" in line]


def lines_of_collected(collect: str, rest: str) -> list[str]:
    """Return the SOP with the risk collected by another rule; ``rest`` adds a rule for no hit."""
    last = '< 14400", then: 1}\n'
    other = f"{last}        - {{id: K5, otherwise: 7}}\n" if rest else last
    kept = "      collect: sum\n"
    changed = claims((kept, f"      collect: {collect}\n"), (last, other))
    return render_sop(changed, "").as_text().splitlines()


def test_items_of_lists_are_called_by_their_labels() -> None:
    model = claims(
        ("has_receipt: {role: input,", "has_receipt: {label: receipt, role: input,"),
        ("amount: {role: input,", "amount: {label: price, role: input,"),
    )
    text = render_sop(model, "").as_text()

    assert "amount (price, in USD; a number with 2 decimal places), has_receipt (receipt; " in text
    assert (
        "there is a line of the claim whose price is more than 50 USD and for which no receipt is"
        " attached"
    ) in text


def test_a_check_with_many_conditions_ends_before_its_refusal() -> None:
    model = claims(
        (
            "payable <= pay_limit and payable > 0,",
            "0 < payable <= pay_limit and not frozen and dearest < 90,",
        )
    )

    document = render_sop(model, "")
    lines = document.as_text().splitlines()
    place = lines.index("- not_payable: refused if any of the following applies:")
    assert lines[place + 1 : place + 5] == [
        "  - the payable amount is at most 0 USD;",
        "  - the payable amount is more than 900 USD;",
        '  - the frozen account is "yes";',
        "  - the dearest line is at least 90 USD.",
    ]
    assert list(read_back_findings(model, document.lines)) == []


def test_a_check_of_labels_lists_what_it_requires() -> None:
    model = claims(
        (
            "payable <= pay_limit and payable > 0,",
            "payable > 0 and grade == 'Chief' and region == 'Far',",
        )
    )

    document = render_sop(model, "")
    lines = document.as_text().splitlines()
    place = lines.index("- not_payable: refused unless all of the following apply:")
    assert lines[place + 1 : place + 4] == [
        "  - the payable amount is more than 0 USD;",
        '  - the grade is "Chief";',
        '  - the region is "Far".',
    ]
    assert list(read_back_findings(model, document.lines)) == []
