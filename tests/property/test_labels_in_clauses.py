"""Labels for which rules have clauses: the SOP is read back by them, and faults show."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.errors import MaterialError
from sopforge.rendering.sop.sop import render_sop
from tests.faults.sop_faults import planted
from tests.judges.sop_walker import list_other_answers
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import parcel

SAID = (
    "{Road: the parcel goes by road, Air: the parcel is flown,"
    " Hand: {yes: a courier brings the parcel, no: no courier is needed}}"
)
ROUTE = (
    "        fragile: {role: input",
    (
        "        route: {role: input, type: enum, values: [Road, Air, Sea, Hand],"
        f" said: {SAID}, description: how the parcel travels}}\n"
        "        fragile: {role: input"
    ),
)
RULES = (
    "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n",
    (
        "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
        "        - {id: C3, when: route == 'Hand', then: careful}\n"
        "        - {id: C6, when: route == 'Air' and weight > 10, then: careful}\n"
        "        - {id: C4, when: route != 'Road' and weight > 20, then: careful}\n"
        "        - {id: C5, when: \"route in ['Sea', 'Air'] and weight > 15\", then: careful}\n"
    ),
)
MODEL = parcel(ROUTE, RULES)
SEEDS = (None, *range(3))


def lines(seed: int | None = None) -> list[str]:
    return [line.text for line in render_sop(MODEL, "", (), seed).lines]


def test_rules_say_the_clauses_and_the_inputs_what_they_stand_for() -> None:
    text = "\n".join(lines())

    assert "a courier brings the parcel;\n" in text
    assert "the parcel is flown and the weight is more than 10 kg;\n" in text
    assert "the parcel does not go by road and the weight is more than 20 kg;\n" in text
    assert 'the route is "Sea" or "Air", and the weight is more than 15 kg.\n' in text
    assert (
        'one of "Road", "Air" (the parcel is flown), "Sea", "Hand" (a courier brings the parcel).'
    ) in text


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_read_back_in_every_wording(seed: int | None) -> None:
    assert list(read_back_findings(MODEL, render_sop(MODEL, "", (), seed).lines)) == []


def test_who_walks_by_the_text_comes_to_the_same_answers() -> None:
    rows = sample_rows(MODEL, 5, range(120))

    assert list_other_answers(MODEL, render_sop(MODEL, "").lines, rows) == []


def test_every_clause_that_says_the_opposite_is_found() -> None:
    document = render_sop(MODEL, "")
    faults = [fault for fault in planted(MODEL, document) if fault.kind == "clause"]

    assert len(faults) >= 5
    for fault in faults:
        assert list(read_back_findings(MODEL, fault.document.lines)) != [], fault.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a courier brings the parcel;", "the parcel is flown;"),
        ("the parcel is flown and", 'the route is "Sea" and'),
        ("the parcel does not go by road and", "the parcel is not flown and"),
        ('"Air" (the parcel is flown)', '"Air"'),
        ('"Air" (the parcel is flown), "Sea"', '"Air", "Sea" (the parcel is flown)'),
        ('"Hand" (a courier brings the parcel)', '"Hand" (a courier fetches the parcel)'),
    ],
)
def test_another_clause_is_found(old: str, new: str) -> None:
    assert list_edit_errors(MODEL, render_sop(MODEL, "").lines, (old, new))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("{Rail: the parcel goes by rail}", "'said' names 'Rail', which is not one of the values"),
        ("{Road: The parcel goes by road}", "'The parcel goes by road' is not a plain clause"),
        ("{Road: the parcel drove}", "the opposite of 'the parcel drove' is"),
        (
            "{Road: the parcel goes by road}, malformed: {share: 4, texts: [by bike]}",
            "an input that can be malformed cannot have 'said'",
        ),
    ],
)
def test_a_clause_that_is_none_is_refused_with_what_to_do(said: str, message: str) -> None:
    field, rest = ROUTE[1].split(SAID)

    with pytest.raises(MaterialError, match=message):
        parcel((ROUTE[0], f"{field}{said}{rest}"))


def test_clauses_that_could_be_taken_for_each_other_are_left_out() -> None:
    field, rest = ROUTE[1].split(SAID)
    said = "{Road: the parcel travels, Air: the parcel travels by air, Hand: it is carried}"

    item = parcel((ROUTE[0], f"{field}{said}{rest}")).fields["route"]

    assert item.clauses == ("it is carried", "it is not carried")
