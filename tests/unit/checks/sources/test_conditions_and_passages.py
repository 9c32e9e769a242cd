# ruff: noqa: E501 - a case is easier to read on one line
"""What conditions ask and passages say: read as it is said there is no finding, misread there is."""

from __future__ import annotations

import pytest

from sopforge.findings import Severity
from tests.worlds.harbour import V1, V2, V3, examine, find, write_rules

UNSAID = "condition-not-in-source"


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        pytest.param("Boats of more than 12 m are refused.", "length > longest", "length > longest and not insured", id="a fact of which nothing is said"),
        pytest.param("An old barge is refused.", "kind == 'Old barge'", "kind == 'Old barge' and asked_on >= from_may", id="a day"),
        pytest.param("An old barge is refused.", "kind == 'Old barge'", "kind == 'Old barge' and cargo != 'Timber'", id="labels"),
    ],
)  # fmt: skip
def test_a_condition_that_no_passage_makes_is_found(said: str, right: str, wrong: str) -> None:
    sources = {f"{V1}, policy.longest": said}
    assert UNSAID not in find(said, sources, VERDICT=write_rules(right))
    assert UNSAID in find(said, sources, VERDICT=write_rules(wrong))


@pytest.mark.parametrize(
    "said",
    [
        "If the boat is not insured, it is refused when it is longer than 12 m.",
        "Some boats are uninsured. They are refused if they are longer than 12 m.",
        "Uninsured boats are refused if one of these is so:\n\n- they are longer than 12 m;\n- they are old barges.",
    ],
)
def test_what_stands_around_a_passage_is_said(said: str) -> None:
    quoted = "they are longer than 12 m" if "they are" in said else "when it is longer than 12 m"
    rules = write_rules("length > longest and not insured")
    assert UNSAID not in find(said, {f"{V1}, policy.longest": quoted}, VERDICT=rules)


def test_the_general_case_beside_a_special_one_need_not_say_so() -> None:
    said = "Members wait from 20 m on. A boat of more than 12 m is refused."
    sources = {V1: "Members wait from 20 m on.", V2: "A boat of more than 12 m is refused."}
    rules = "{id: V1, when: member and length >= 20, then: waiting}, {id: V2, when: not member and length > longest, then: refused}, {id: V3, otherwise: admitted}"
    assert UNSAID not in find(said, sources, VERDICT=rules)
    odd = rules.replace("not member and length > longest", "not insured and length > longest")
    assert UNSAID in find(said, sources, VERDICT=odd)


def test_what_makes_no_difference_need_not_be_said() -> None:
    said = "Old barges are refused. Boats of more than 12 m wait."
    sources = {
        V1: "Old barges are refused.",
        f"{V2}, policy.longest": "Boats of more than 12 m wait.",
    }
    rules = write_rules("kind == 'Old barge'", "length > longest and kind != 'Old barge'")
    assert UNSAID not in find(said, sources, VERDICT=rules)


def test_labels_by_which_a_formula_chooses_are_no_results() -> None:
    said = "A sloop pays 10 EUR, any other boat 20 EUR."
    plain = "A Sloop pays 10 EUR, all others 20 EUR."
    for text in (said, plain):
        right = find(text, {"decisions.fee": text}, FEE="10 if kind == 'Sloop' else 20")
        assert UNSAID not in right
        wrong = find(text, {"decisions.fee": text}, FEE="10 if cargo == 'Timber' else 20")
        assert UNSAID in wrong


@pytest.mark.parametrize(("heading", "is_found"), [("Berths", True), ("Waits", False)])
def test_a_heading_speaks_of_a_fact_though_a_result_has_its_word(
    heading: str,
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    own = "Old barges are refused."
    rules = write_rules("kind == 'Old barge' and asked_on >= from_may")
    found = find(f"## {heading}\n\n{own}", {V1: own}, VERDICT=rules)
    assert (UNSAID in found) is is_found


@pytest.mark.parametrize(("mark", "is_found"), [("", True), ("- ", False)])
def test_what_an_item_of_a_list_says_before_is_said(mark: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    own = "Above 12 m berths are refused."
    said = f"{mark}Some boats are uninsured. A clerk is asked. {own}"
    rules = write_rules("length > longest and not insured")
    assert (UNSAID in find(said, {f"{V1}, policy.longest": own}, VERDICT=rules)) is is_found


def test_what_is_said_of_a_constant_for_another_rule_does_not_count_for_the_rest() -> None:
    special, rest = "Boats with a length of more than 12 m are refused.", "All others wait."
    said, spared = f"{special} {rest}", "{id: V2, when: spared, then: admitted}"
    right = f"{spared}, {{id: V1, when: length > longest, then: refused}}, {{id: V3, otherwise: waiting}}"
    turned = f"{spared}, {{id: V1, when: length <= longest, then: waiting}}, {{id: V3, otherwise: refused}}"
    cited = {f"{V1}, policy.longest": special, V3: rest}
    assert UNSAID not in find(said, cited, VERDICT=right)
    exchanged = {f"{V3}, policy.longest": special, V1: rest}
    assert UNSAID in find(said, exchanged, VERDICT=turned)


UNREAD = "condition-not-read"


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        pytest.param("Boats with timber whose owner is a member are refused.", "cargo == 'Timber' and member", "cargo == 'Timber'", id="words of a yes/no fact"),
        pytest.param("Old barges with fuel are refused.", "kind == 'Old barge' and cargo == 'Fuel'", "kind == 'Old barge'", id="a label"),
        pytest.param("Boats of more than 12 m are refused, except for dinghies.", "length > longest and kind != 'Dinghy'", "length > longest", id="an exception"),
        pytest.param("Boats that leak are refused, and so is a boat with smoke.", "\\\"'Smoke' in faults or 'Leak' in faults\\\"", "\\\"'Noise' in faults\\\"", id="a label of a set"),
        pytest.param("What is on hold is refused.", "held", "length > longest", id="a short word after a preposition"),
        pytest.param("It must be sealed, or it is refused.", "not sealed", "length > longest", id="a short participle"),
        pytest.param("Old barges of exempt owners are refused.", "kind == 'Old barge' and spared", "kind == 'Old barge'", id="a fact that is worked out"),
    ],
)  # fmt: skip
def test_a_condition_that_nothing_reads_is_found(said: str, right: str, wrong: str) -> None:
    sources = {f"{V1}, policy.longest": said}
    right, wrong = (text.replace("\\", "") for text in (right, wrong))
    assert UNREAD not in find(said, sources, VERDICT=write_rules(right, "not insured"))
    assert UNREAD in find(said, sources, VERDICT=write_rules(wrong, "not insured"))


@pytest.mark.parametrize(
    "said",
    [
        "Boats of more than 12 m are refused, whatever the kind of boat.",
        "Boats of more than 12 m are refused, an old barge included.",
        "Boats of more than 12 m are refused; whether the boat is insured makes no difference.",
        "Boats of more than 12 m are refused; a dinghy needs no insurance of the boat.",
        "Requests for berths are refused for more than 12 m.",
        "Boats of more than 12 m are refused, also for members.",
        "Boats are refused where this holds: more than 12 m.",
    ],
)
def test_what_makes_no_difference_need_not_be_read(said: str) -> None:
    rules = write_rules("length > longest")
    assert UNREAD not in find(
        said, {f"{V1}, policy.longest": said.partition(";")[0]}, VERDICT=rules
    )


def test_what_leads_in_a_passage_each_rule_has_to_read() -> None:
    said = "A boat without insurance is refused above 12 m, and waits if it is an old barge."
    both = write_rules("not insured and length > longest", "not insured and kind == 'Old barge'")
    one = write_rules("not insured and length > longest", "kind == 'Old barge'")
    sources = {f"{V1}, {V2}, policy.longest": said}
    assert UNREAD not in find(said, sources, VERDICT=both)
    assert UNREAD in find(said, sources, VERDICT=one)


def test_whoever_is_about_each_rule_that_cites_the_passage() -> None:
    said = "Whoever asks is refused with an old barge, and waits with a dinghy."
    both = write_rules("kind == 'Old barge'", "kind == 'Dinghy'")
    one = write_rules("length > longest", "kind == 'Dinghy'")
    assert UNREAD not in find(said, {f"{V1}, {V2}": said}, VERDICT=both)
    assert UNREAD in find(said, {f"{V1}, {V2}": said}, VERDICT=one)
    some = said.replace("Whoever", "Who")
    assert UNREAD not in find(some, {f"{V1}, {V2}": some}, VERDICT=one)


@pytest.mark.parametrize(
    ("ending", "is_found"),
    [("both for refusals and for waits", True), ("for refusals or waits", False)],
)
def test_both_for_one_and_for_the_other_is_about_each(ending: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    said = f"A boat of a member counts as short, {ending}."
    first = "length > longest and not member"
    sources = {f"{V1}, {V2}": said}
    right = write_rules(first, "insured and not member")
    assert UNREAD not in find(said, sources, VERDICT=right)
    wrong = write_rules(first, "insured")
    assert (UNREAD in find(said, sources, VERDICT=wrong)) is is_found


def test_what_another_rule_reads_that_cites_the_passage_is_asked_there() -> None:
    said = "With an insurance of the boat, members are exempt and wait."
    sources = {f"decisions.spared.S1, {V2}": said}
    exempt = "{id: S1, when: member, then: true}, {id: S2, otherwise: false}"
    asked = write_rules("length > longest", "spared and insured")
    assert UNREAD not in find(said, sources, SPARED=exempt, VERDICT=asked)
    apart = write_rules("length > longest", "kind == 'Dinghy' and insured")
    assert UNREAD in find(said, sources, SPARED=exempt, VERDICT=apart)


@pytest.mark.parametrize(
    ("full", "is_found"), [("dues + 5 if kind == 'Dinghy' else dues", False), ("dues", True)]
)
def test_a_figure_to_which_another_adds_by_a_fact_need_not_ask_for_it(
    full: str,
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    said = "A dinghy pays 10 EUR of dues if it is insured, else 12 EUR."
    dues = "10 if insured else 12"
    found = find(said, {"decisions.dues": said}, DUES=dues, FULL=full)
    assert (UNREAD in found) is is_found


def test_what_holds_wherever_a_rule_decides_need_not_be_read() -> None:
    said = "Uninsured boats are refused. A boat that is insured waits if it is an old barge."
    sources = {
        V1: "Uninsured boats are refused.",
        V2: "A boat that is insured waits if it is an old barge.",
    }
    assert UNREAD not in find(
        said, sources, VERDICT=write_rules("not insured", "kind == 'Old barge'")
    )
    turned = "{id: V2, when: kind == 'Old barge', then: waiting}, {id: V1, when: not insured, then: refused}, {id: V3, otherwise: admitted}"
    assert UNREAD in find(said, sources, VERDICT=turned)


def test_what_another_condition_has_the_name_of_is_no_label() -> None:
    said = "Risky cargo is refused."
    assert UNREAD not in find(said, {V1: said}, VERDICT=write_rules("risky"))


SWAPPED = "other-fact-read"


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        pytest.param("Notice is in time if it was given at least 24 hours before departure.", "minutes_between(noted, departure) >= notice * 60", "minutes_between(noted, arrival) >= notice * 60", id="a day of two"),
        pytest.param("Notice is in time if the length of the boat is more than 12 m.", "length > longest", "hull_length > longest", id="a length of two"),
    ],
)  # fmt: skip
def test_a_fact_that_is_read_for_another_is_found(said: str, right: str, wrong: str) -> None:
    sources = {"predicates.early, policy.notice, policy.longest": said}
    assert SWAPPED not in find(said, sources, PREDICATE=right)
    assert SWAPPED in find(said, sources, PREDICATE=wrong)


@pytest.mark.parametrize(
    "said",
    [
        "Notice is in time at least 24 hours before departure and before arrival.",
        "Notice is in time if it was given at least 24 hours ahead.",
    ],
)
def test_a_fact_of_which_a_passage_speaks_stands_for_no_other(said: str) -> None:
    sources = {"predicates.early, policy.notice": said}
    wrong = "minutes_between(noted, arrival) >= notice * 60"
    assert SWAPPED not in find(said, sources, PREDICATE=wrong)


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("A boat is refused if the sale is too late.", True),
        ("A boat is refused if it was too late.", False),
        ("A boat is refused if the last day of waiting, or the sale, is too late.", False),
    ],
)
def test_a_day_that_is_named_by_its_only_word_is_read(said: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    assert SWAPPED not in find(said, {V1: said}, VERDICT=write_rules("sold_on >= from_may"))
    found = find(said, {V1: said}, VERDICT=write_rules("asked_on >= from_may"))
    assert (SWAPPED in found) is is_found


@pytest.mark.parametrize(("full", "is_found"), [("dues + 5", False), ("5", True)])
def test_what_is_decided_may_be_a_part_of_what_is_named(full: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    said = "Harbour dues are 10 EUR for members, else 12 EUR."
    found = find(said, {"decisions.dues": said}, DUES="10 if member else 12", FULL=full)
    assert (SWAPPED in found) is is_found


LOST = "case-without-rule"


def test_a_rule_that_was_dropped_and_is_cited_for_all_other_cases_is_found() -> None:
    said = "Members are always admitted. Boats of more than 12 m are refused."
    default = {f"{V1}, policy.longest": "Boats of more than 12 m are refused."}
    own = "{id: V1, when: length > longest, then: refused}, {id: V2, when: member, then: admitted}, {id: V3, otherwise: admitted}"
    none = "{id: V1, when: length > longest, then: refused}, {id: V2, when: spared, then: waiting}, {id: V3, otherwise: admitted}"
    always = "Members are always admitted."
    assert LOST not in find(said, {**default, V2: always}, VERDICT=own)
    assert LOST in find(
        said,
        {**default, V3: always},
        SPARED="{id: S1, when: insured, then: true}, {id: S2, otherwise: false}",
        VERDICT=none,
    )


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("Sloops, ketches and dinghies are admitted.", False),
        ("A dinghy is never refused.", True),
    ],
)
def test_the_last_labels_are_left_to_all_other_cases(said: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    other = "Boats of more than 12 m are refused unless they are old barges."
    rules = write_rules("length > longest and kind != 'Old barge'", "kind == 'Old barge'")
    sources = {f"{V1}, policy.longest": other, V3: said}
    assert (LOST in find(f"{said} {other}", sources, VERDICT=rules)) is is_found


@pytest.mark.parametrize(
    ("laden", "is_found"), [("cargo != 'nothing loaded'", True), ("not spared", False)]
)
def test_what_follows_from_a_result_is_no_case_of_it(laden: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    said = "From now on the boat counts as laden up to 12 m."
    rules = "{id: S1, when: insured, then: true}, {id: S2, otherwise: false}"
    found = find(said, {"decisions.spared.S2": said}, SPARED=rules, LADEN=laden)
    assert (LOST in found) is is_found


TERM = "term-differs"


@pytest.mark.parametrize(
    ("when", "is_found"),
    [
        ("risky", False),
        ("\"cargo in ['Acid', 'Fuel']\"", False),
        ("\"cargo not in ['nothing loaded', 'Timber']\"", False),
        ("cargo == 'Fuel'", True),
    ],
)
def test_labels_that_are_not_those_of_a_term_are_found(when: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    said = "Boats with risky cargo are refused."
    rules = write_rules(when, "risky and insured")
    assert (TERM in find(said, {V1: said}, VERDICT=rules)) is is_found
    named = "Boats with risky cargo such as fuel are refused."
    assert TERM not in find(named, {V1: named}, VERDICT=rules)


def test_a_term_may_have_its_own_labels() -> None:
    said = "Work out whether the boat is laden."
    own = find(said, {"decisions.laden": said}, LADEN="cargo == 'Fuel' or cargo == 'Acid'")
    assert TERM not in own


RANK = "rest-narrowed"


@pytest.mark.parametrize(
    ("when", "is_found"),
    [
        ("length > longest", False),
        ("length > longest and not (insured and not member)", False),
        ("length > longest and member", True),
    ],
)
def test_everybody_else_is_everybody_that_the_sentence_leaves(when: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    said = "Above 12 m: refused for insured boats of no member, waiting for everybody else."
    sources = {
        f"{V1}, {V2}, policy.longest": "Above 12 m",
        V1: "refused for insured boats of no member",
        V2: "waiting for everybody else",
    }
    rules = write_rules("length > longest and insured and not member", when)
    assert (RANK in find(said, sources, VERDICT=rules)) is is_found


SCOPE = "scope-differs"


@pytest.mark.parametrize(
    ("said", "first", "second", "is_found"),
    [
        pytest.param("Members of more than 12 m wait, whether the pumping station is open or shut.", "not member and not pump_open", "member and length > longest", False, id="another rule excludes them"),
        pytest.param("Members of more than 12 m wait, whether the pumping station is open or shut.", "not pump_open", "member and length > longest", True, id="another rule takes them"),
        pytest.param("Members of more than 12 m wait, whatever the kind of boat.", "not pump_open", "member and length > longest and kind != 'Ketch'", True, id="the rule itself asks"),
        pytest.param("The pumping station makes no difference to members.", "not pump_open", "member and length > longest", True, id="said of the fact"),
        pytest.param("See whether the pumping station is open or shut: members of more than 12 m wait if it is open.", "spared", "member and length > longest and pump_open", False, id="what is looked at"),
        pytest.param("Members wait, whatever the kind of boat, both by day and with the pumping station open.", "spared", "member and pump_open", False, id="what goes on after it"),
        pytest.param("Members pay whatever the harbour asks.", "not pump_open", "member and length > longest", False, id="what is paid"),
        pytest.param("Members of more than 12 m wait, pumping station or not, except dinghies.", "not pump_open and kind == 'Dinghy'", "member and length > longest and kind != 'Dinghy'", False, id="an exception"),
    ],
)  # fmt: skip
def test_what_makes_no_difference_is_asked_by_no_rule_of_these_cases(
    said: str,
    first: str,
    second: str,
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    rules = write_rules(first, second)
    assert (SCOPE in find(said, {f"{V2}, policy.longest": said}, VERDICT=rules)) is is_found


@pytest.mark.parametrize(("result", "is_found"), [("waiting", False), ("refused", True)])
def test_a_rule_with_the_same_result_makes_no_difference(result: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    said = "Members of more than 12 m wait, pumping station or not."
    rules = f"{{id: V1, when: not pump_open, then: {result}}}, {{id: V2, when: member and length > longest, then: waiting}}, {{id: V3, otherwise: admitted}}"
    assert (SCOPE in find(said, {f"{V2}, policy.longest": said}, VERDICT=rules)) is is_found


EARLY = "rule-tried-too-early"


@pytest.mark.parametrize(
    "order",
    [
        'A request is "refused", "waiting" or "admitted", and they win in that order.',
        "What is refused stays refused, even where it would wait.",
        "A request that is not refused is waiting in some cases.",
        "A request that is refused does not go on to waiting.",
    ],
)
def test_a_result_that_wins_over_another_is_tried_before_it(order: str) -> None:
    said = f"{order} Old barges are refused. Exempt owners wait."
    sources = {V1: "Old barges are refused.", V2: "Exempt owners wait."}
    right = write_rules("kind == 'Old barge'", "spared")
    turned = "{id: V2, when: spared, then: waiting}, {id: V1, when: kind == 'Old barge', then: refused}, {id: V3, otherwise: admitted}"
    assert EARLY not in find(said, sources, VERDICT=right)
    assert EARLY in find(said, sources, VERDICT=turned)


def test_what_comes_before_anything_else_is_tried_first() -> None:
    said = "Old barges are refused. Exempt owners wait before anything else is looked at."
    sources = {
        V1: "Old barges are refused.",
        V2: "Exempt owners wait before anything else is looked at.",
    }
    turned = "{id: V2, when: spared, then: waiting}, {id: V1, when: kind == 'Old barge', then: refused}, {id: V3, otherwise: admitted}"
    assert EARLY in find(said, sources, VERDICT=write_rules("kind == 'Old barge'", "spared"))
    assert EARLY not in find(said, sources, VERDICT=turned)


@pytest.mark.parametrize(
    ("exception", "is_found"),
    [
        ("The only exception are old barges, which are refused.", False),
        ("There is no exception: old barges are refused.", True),
    ],
)
def test_an_exception_from_what_comes_before_anything_else_is_tried_before_it(
    exception: str,
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    general = "Exempt owners wait before anything else is looked at."
    sources = {V1: exception, V2: general}
    rules = write_rules("kind == 'Old barge' and spared", "spared")
    assert (EARLY in find(f"{general} {exception}", sources, VERDICT=rules)) is is_found


def test_a_hint_names_the_items_that_an_assumption_has_to_name() -> None:
    said = "A boat without insurance is refused above 12 m, and waits if it is an old barge."
    wrong = write_rules("length > longest", "kind == 'Old barge'")
    found = examine(said, {f"{V1}, {V2}, policy.longest": said}, VERDICT=wrong)
    [hint] = [item.hint for item in found if item.id == UNREAD]
    assert hint.endswith("add an assumption that names each of the items")


def test_an_assumption_that_names_the_item_makes_it_a_warning() -> None:
    said = "Boats of more than 12 m are refused."
    sources = {"policy.longest": said}
    rules = write_rules("length > longest and not insured")
    assert UNSAID not in {item.id for item in examine(said, sources, VERDICT=rules)}
    cited = examine(said, {f"{V1}, policy.longest": said}, VERDICT=rules)
    assert [item.severity for item in cited if item.id == UNSAID] == [Severity.ERROR]


TOGETHER = "never-together"


def test_a_result_that_a_named_outcome_never_has_a_value_with_is_found() -> None:
    said = "The fee is worked out for boats that are refused, too."
    sources = {"fields.fee": said}
    assert TOGETHER not in find(said, sources)
    none = "10 if verdict == 'admitted' else missing"
    assert TOGETHER in find(said, sources, FEE=none)


EXCEPTION = "exception-not-read"


@pytest.mark.parametrize(("limit", "is_found"), [("longest", False), ("30", True)])
def test_an_exception_that_is_a_limit_alone_is_read_where_its_figure_is(
    limit: str,
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    said = "A boat is refused for its length, but only if it does so by more than 12 metres."
    items = f"{V1}, policy.longest" if limit == "longest" else V1
    found = find(said, {items: said}, VERDICT=write_rules(f"length > {limit}"))
    assert (EXCEPTION in found) is is_found


LIMIT = "limit-differs"


@pytest.mark.parametrize("words", ["above", "more than"])
def test_a_limit_may_be_called_what_it_follows_from(words: str) -> None:
    said = f"A boat is refused if it is {words} the length of the hull."
    assert LIMIT not in find(said, {V1: said}, VERDICT=write_rules("length > rated"))
    assert LIMIT in find(said, {V1: said}, VERDICT=write_rules("length >= rated"))
    other = said.replace("length of the hull", "height of the mast")
    assert LIMIT not in find(other, {V1: other}, VERDICT=write_rules("length >= rated"))


FIGURE = "figure-not-in-model"


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("A boat is refused if at least one of these holds", False),
        ("A boat is refused if at least one of the following conditions is met", False),
        ("A boat is refused if at least one of the faults is smoke", True),
        ("A boat is refused if at least one fault is smoke", True),
    ],
)
def test_one_of_these_is_an_alternative_and_no_figure(said: str, is_found: bool) -> None:  # noqa: FBT001 - a case of the table
    found = find(f"{said}.", {V1: said}, VERDICT=write_rules("\"'Smoke' in faults\""))
    assert (FIGURE in found) is is_found


def test_a_figure_in_what_a_yes_or_no_is_said_to_be_is_the_models() -> None:
    said = "A boat with at least one insurance is admitted."
    found = find(said, {V1: said}, VERDICT=write_rules("not insured"))
    assert FIGURE in found
    rules = write_rules("not pump_open")
    assert FIGURE not in find(
        said.replace("insurance", "pump at work"),
        {V1: said.replace("insurance", "pump at work")},
        VERDICT=rules,
    )


def test_a_label_within_what_a_field_is_called_is_no_label() -> None:
    said = "A boat is refused where the last day of waiting has passed."
    rules = write_rules("asked_on >= from_may", "not insured")
    assert "label-differs" not in find(said, {V1: said}, VERDICT=rules)
    plain = "A boat goes on waiting where the day has passed."
    assert "label-differs" in find(plain, {V1: plain}, VERDICT=rules)
