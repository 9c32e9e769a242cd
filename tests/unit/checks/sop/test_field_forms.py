"""Lines of the data dictionary say the form of a field, and no more than the model."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.errors import MaterialError
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors

TEXT = (BRIEFS.parent / "tests/worlds/device_claim.yaml").read_text(encoding="utf-8")
CLAIM = read_brief(TEXT, "device_claim.yaml").model
LINES = render_sop(CLAIM, "").lines
STATUS = '"Active" (the cover is in force), "Lapsed" (the premium is overdue), "Ended".'
AGE = "full months since the purchase; a whole number."


def write_changed(*changes: tuple[str, str], form: str = "manual") -> str:
    """Return the SOP of the brief with some texts replaced, in which nothing is found."""
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    model = read_brief(text, "device_claim.yaml").model
    lines = render_sop(model, "", form="instruction" if form == "instruction" else "manual").lines
    assert list(read_back_findings(model, lines)) == []
    return "\n".join(line.text for line in lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STATUS, STATUS.replace('"Ended"', '"Ended" (the premium is overdue)')),
        (STATUS, STATUS.replace("force)", "force) or (the premium is overdue)")),
        (STATUS, STATUS.replace('.', '; the cover is in force with all of them.')),
        ("policy status; one of", "policy status; none of"),
        ("one of the values of the cause of damage.", "none of the values of the cause of damage."),
        ("that the policy covers; any of", "that the policy covers; all of"),
        ('"no risk" if there is none.', '"no risk" if there is one.'),
        ('"no risk" if there is none.', '"no risk" if all are covered.'),
        ('or "no price".', 'or "no price" for a gift.'),
        ("purchase price without delivery costs, in EUR", "purchase price, in EUR"),
        (AGE, "age of the device; a whole number."),
        (AGE, AGE.replace("number.", "number of years.")),
        (AGE, AGE.replace("number.", "number, counted from the delivery.")),
        ("total points of the claim;", "total points of the claim; it does not include fraud;"),
        ("if there is none.", "if there is none; the newest entry alone counts."),
    ],
)  # fmt: skip
def test_a_line_that_says_more_or_less_of_a_field_is_found(old: str, new: str) -> None:
    assert list_edit_errors(CLAIM, LINES, (old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (AGE, AGE.replace("a whole number", "an integer")),
        ("policy status; one of", "policy status; either of"),
        ('or "no price".', 'or "no price" if there is none.'),
        ("that the policy covers; any of", "that the policy covers; any of these:"),
    ],
)
def test_the_same_form_in_other_words_is_read(old: str, new: str) -> None:
    assert list_edit_errors(CLAIM, LINES, (old, new)) == []


def test_a_clause_of_the_last_label_keeps_its_label() -> None:
    changed = "found, said: {Wear: the device has aged}, role"
    text = write_changed(("found, role", changed), ("worst != cause", "worst == 'Wear'"))

    assert '"Wear" (the device has aged).' in text


def test_the_terse_form_says_for_which_label_a_clause_stands() -> None:
    text = write_changed(form="instruction")

    assert "5 points if the premium is overdue." in text
    assert '"Lapsed" (the premium is overdue)' in text


def test_a_clause_that_another_label_may_have_is_explained() -> None:
    labels = ("Lapsed, Ended], said: {Lapsed: the premium is overdue", "Lapsed, Lapsed for good]")
    said = f"{labels[1]}, said: {{Lapsed: the policy has lapsed"

    assert '"Lapsed" (the policy has lapsed)' in write_changed((labels[0], said))


def test_entries_with_another_field_of_some_of_the_labels_are_said_by_the_label() -> None:
    state = "            state: {label"
    cover = "{label: cover used, type: enum, values: [Fall, Goodwill], description: cover used}"
    text = write_changed((state, f"            cover: {cover}\n{state}"))

    assert "was for" not in text


def test_a_number_in_a_unit_that_converts_may_be_meant() -> None:
    days = "role: observed, type: integer, min: 0, max: 99, unit: days, description: days in use"
    used, price = f"        used: {{label: time in use, {days}}}", "        price: {label"
    text = write_changed(
        (price, f"{used}\n{price}"),
        ("closed, months,", "closed, used, months,"),
    )  # fmt: skip

    assert "the age of the device is more than 36 months" in text


def test_what_any_entry_cannot_be_is_said_of_one() -> None:
    text = write_changed(
        ("it is still open, no: it is settled", "it can be used, no: it cannot be used"),
        ("any(c.cause == cause for c in claims)", "any(not c.open_ for c in claims)"),
    )

    assert "there is an earlier claim that cannot be used" in text


@pytest.mark.parametrize(
    "said",
    [
        "all devices are {} old",
        "the device cannot be {} old",
        "the device was bought within {}",
        "the device was built in {}",
        "the device is about {} old",
    ],
)
def test_a_clause_that_counts_or_bounds_by_itself_is_refused(said: str) -> None:
    with pytest.raises(MaterialError, match="not a plain clause"):
        read_brief(TEXT.replace("the device is {} old", said), "device_claim.yaml")
