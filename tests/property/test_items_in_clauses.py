"""What was done with items on a day, and their labels as clauses: read back, with faults."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.model import DomainModel
from sopforge.errors import MaterialError
from sopforge.rendering.sop.sop import render_sop
from tests.faults.sop_faults import planted
from tests.judges.sop_walker import list_other_answers
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import parcel

DAY = "{label: day, said: made, type: date, min: 2025-10-01, max: 2026-03-31, description: day}"
STATES = "{Sealed: it was sealed, Torn: {yes: the wrapping had holes, no: the wrapping was whole}}"
CHECKS = (
    "        service: {role: observed",
    (
        "        checks:\n"
        "          label: earlier checks\n"
        "          role: observed\n"
        "          type: list\n"
        "          size: 4\n"
        "          empty: no earlier check\n"
        "          description: checks of the parcel\n"
        "          items:\n"
        f"            made_on: {DAY}\n"
        "            state: {type: enum, values: [Sealed, Torn, Wet],"
        f" said: {STATES}, description: state}}\n"
        "            offer: {type: enum, values: [Standard, Express, Night],"
        ' said: "it was for {}", description: service for which it was checked}\n'
        "        service: {role: observed"
    ),
)
ORDER = "all(c.made_on < sent_on for c in checks)"
ORDERED = ("  decisions:\n", f"  constraints:\n    - {ORDER}\n  decisions:\n")
RULES = (
    "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n",
    (
        "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
        '        - {id: C3, then: careful, when: "count(c for c in checks'
        " if days_between(c.made_on, sent_on) <= 30 and c.state == 'Torn') >= 2\"}\n"
        '        - {id: C4, when: "any(days_between(c.made_on, sent_on) <= 7 for c in checks)",'
        " then: careful}\n"
        "        - {id: C5, then: careful, when: \"any(c.state != 'Sealed'"
        ' and days_between(c.made_on, sent_on) > 60 for c in checks)"}\n'
        '        - {id: C6, when: "any(c.made_on == due_on for c in checks)", then: careful}\n'
        "        - {id: C7, then: careful, when: \"any(c.offer == service and c.state == 'Torn'"
        ' for c in checks)"}\n'
        "        - {id: C8, then: careful, when: \"count(c for c in checks if c.offer != 'Night')"
        ' >= 3"}\n'
    ),
)
RETURNED = ("returns: [service, due_on]", "returns: [service, due_on, checks]")
MODEL = parcel(CHECKS, ORDERED, RULES, RETURNED)
SEEN_BEFORE = (
    "there are at least 2 earlier checks made in the 30 days before the day of dispatch"
    " and for which the wrapping had holes"
)
SEEDS = (None, *range(3))


def write(model: DomainModel = MODEL) -> str:
    return "\n".join(line.text for line in render_sop(model, "").lines)


@pytest.mark.parametrize(
    "said",
    [
        f"{SEEN_BEFORE};",
        "there is an earlier check made in the 7 days before the day of dispatch;",
        "made more than 60 days before the day of dispatch and that was not sealed;",
        "there is an earlier check made on the same day as the due date;",
        "there is an earlier check that was for the service and for which the wrapping had holes;",
        'there are at least 3 earlier checks that were not for "Night".',
        'state (one of "Sealed", "Torn" (the wrapping had holes), "Wet")',
    ],
)
def test_it_is_said_so(said: str) -> None:
    assert said in write()


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_read_back_in_every_wording(seed: int | None) -> None:
    assert list(read_back_findings(MODEL, render_sop(MODEL, "", (), seed).lines)) == []


def test_who_walks_by_the_text_comes_to_the_same_answers() -> None:
    rows = sample_rows(MODEL, 5, range(120))

    assert list_other_answers(MODEL, render_sop(MODEL, "").lines, rows) == []


def test_every_planted_fault_is_found() -> None:
    faults = [fault for fault in planted(MODEL, render_sop(MODEL, "")) if " check" in fault.text]

    assert {"number", "comparator", "unit"} <= {fault.kind for fault in faults}
    for fault in faults:
        assert list(read_back_findings(MODEL, fault.document.lines)) != [], fault.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("in the 30 days before", "in the 31 days before"),
        ("in the 30 days before", "in the 30 working days before"),
        ("in the 30 days before the day of dispatch", "in the 30 days before the due date"),
        ("in the 30 days before", "more than 30 days before"),
        ("in the 30 days before", "in the 30 days after"),
        ("made more than 60 days before", "made in the 60 days before"),
        ("made on the same day as", "made on or before"),
        ("for which the wrapping had holes", "for which the wrapping was whole"),
        ("that was not sealed", "that was sealed"),
        ("and that was not sealed", "or that was not sealed"),
        ('"Torn" (the wrapping had holes)', '"Torn" (the wrapping got wet)'),
        ("that was for the service", "that was not for the service"),
        ("that was for the service", 'that was for "Express"'),
        ("that was for the service", "that was for the parcel"),
        ('that were not for "Night"', 'that were for "Night"'),
        ('that were not for "Night"', "that were not for the service"),
    ],
)
def test_another_meaning_is_found(old: str, new: str) -> None:
    assert list_edit_errors(MODEL, render_sop(MODEL, "").lines, (old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("in the 30 days before", "within the 30 days before"),
        ("in the 30 days before", "no earlier than 30 days before"),
        ("made in the 7 days before", "whose day is in the 7 days before"),
        ("that was for the service", "whose offer is the same as the service"),
        ('that were not for "Night"', 'whose offer is not "Night"'),
    ],
)
def test_other_words_of_the_same_meaning_are_accepted(old: str, new: str) -> None:
    assert list_edit_errors(MODEL, render_sop(MODEL, "").lines, (old, new)) == []


@pytest.mark.parametrize(
    ("order", "said", "edit"),
    [
        pytest.param(
            [(ORDERED[0], ORDERED[1].replace("<", "<="))],
            "made in the 7 days before the day of dispatch or on it;",
            (" or on it;", ";"),
            id="the same day",
        ),
        pytest.param(
            [],
            "made no earlier than 7 days before the day of dispatch;",
            ("no earlier than 7 days before", "in the 7 days before"),
            id="none",
        ),
    ],
)
def test_only_the_order_that_is_known_is_said(
    order: list[tuple[str, str]], said: str, edit: tuple[str, str]
) -> None:
    model = parcel(CHECKS, *order, RULES, RETURNED)
    lines = render_sop(model, "").lines

    assert said in write(model)
    assert list(read_back_findings(model, lines)) == []
    assert list_edit_errors(model, lines, edit)


def test_the_order_of_one_list_says_nothing_of_another_with_a_day_of_that_name() -> None:
    other = CHECKS[1].replace("checks:\n", "moves:\n").replace("earlier checks", "earlier moves")
    lists = other.replace("        service: {role: observed", CHECKS[1])
    rule = (
        "        - {id: C2, otherwise: plain}",
        (
            '        - {id: C9, when: "any(days_between(m.made_on, sent_on) <= 9 for m in moves)",'
            " then: careful}\n        - {id: C2, otherwise: plain}"
        ),
    )
    both = (RETURNED[0], RETURNED[1].replace("checks", "checks, moves"))
    model = parcel((CHECKS[0], lists), ORDERED, RULES, rule, both)
    lines = render_sop(model, "").lines

    assert "an earlier check made in the 7 days before" in write(model)
    assert "an earlier move made no earlier than 9 days before" in write(model)
    assert list(read_back_findings(model, lines)) == []
    assert list_edit_errors(model, lines, ("no earlier than 9 days before", "in the 9 days before"))


def test_a_constraint_says_nothing_of_a_day_that_a_call_changes() -> None:
    ordered = (ORDERED[0], ORDERED[1].replace("sent_on", "due_on"))
    acts = ("takes: [parcel_id, care, surcharge]", "takes: [parcel_id, care, surcharge, sent_on]")
    changed = (acts[0], f"{acts[1]}\n      effects: {{due_on: sent_on}}")

    kept, lost = (
        parcel(CHECKS, ordered, RULES, RETURNED, act).fields["checks"].parts[0]
        for act in (acts, changed)
    )

    assert kept.before == kept.until == frozenset({"due_on"})
    assert lost.before == lost.until == frozenset()


def test_ranges_that_never_meet_show_the_order() -> None:
    earlier = CHECKS[1].replace("max: 2026-03-31", "max: 2025-12-31")

    assert "made in the 7 days before" in write(parcel((CHECKS[0], earlier), RULES, RETURNED))


@pytest.mark.parametrize(
    "verb", ["on", "made and checked", "Made", "is", "made in", "not made", "was made", "the day"]
)
def test_a_verb_that_is_none_is_refused_with_what_to_do(verb: str) -> None:
    changed = CHECKS[1].replace("said: made,", f'said: "{verb}",')

    with pytest.raises(MaterialError, match="does not say what was done on a day"):
        parcel((CHECKS[0], changed), RULES, RETURNED)


def test_only_a_date_of_a_list_says_what_was_done() -> None:
    field = ("sent_on: {label: day of dispatch,", "sent_on: {label: day of dispatch, said: sent,")

    with pytest.raises(MaterialError, match="unknown-field: there is no field 'said'"):
        parcel(field)


def test_what_was_done_on_days_that_are_called_otherwise_is_left_out() -> None:
    other = CHECKS[1].replace(
        "            state:",
        "            seen_on: {label: date, said: made, type: date, min: 2025-10-01,"
        " max: 2026-03-31, description: another day}\n            state:",
    )

    assert not any(part.verb for part in parcel((CHECKS[0], other)).fields["checks"].parts)


@pytest.mark.parametrize(
    "said",
    [
        *("it was fast", "{} it was", "it was for {} then", "It was for {}", "for {}"),
        *("it was for {} or {}", "it snarled {}", "it was not for {}", "it was only for {}"),
    ],
)
def test_words_that_are_no_clause_on_the_item_are_refused(said: str) -> None:
    with pytest.raises(MaterialError) as caught:
        parcel((CHECKS[0], CHECKS[1].replace("it was for {}", said)))

    assert f"'{said}' is not a clause about the item that ends with {{}}" in str(caught.value)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("{type: enum, values: [Standard, Express, Night], description: x}", id="enum"),
        pytest.param(
            "{type: boolean, description: x, said: {yes: it was for the service, no: it was free}}",
            id="clause",
        ),
    ],
)
def test_a_clause_on_a_value_that_could_be_of_something_else_is_left_out(other: str) -> None:
    items = CHECKS[1].replace(
        "            offer:", f"            sort: {other}\n            offer:"
    )
    model = parcel((CHECKS[0], items), ORDERED, RULES, RETURNED)

    assert "whose offer is the same as the service" in write(model)
    assert list(read_back_findings(model, render_sop(model, "").lines)) == []
