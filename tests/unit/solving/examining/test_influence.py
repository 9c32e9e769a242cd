"""What never matters is pointed out, and nothing else: judged by hand and by all rows at once."""

from __future__ import annotations

from itertools import product
from random import Random

from sopforge.checks.schema.unused_fields import CHECK as UNUSED_FIELDS
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.solving.examining.influence import examine_influence
from sopforge.proof.solving.unfolding import unfold
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import PARCEL, changed, claims, orders, parcel, row

CARE = "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
CHAIN = "- {id: G2b, is: surcharge > 10, refusal: not_covered, says: care is not covered}"


# The points of the plain parcel are worked out by a tool, and nothing reads them.
POINTS = ("decision-without-influence", "decisions.service_points")


def found(model: DomainModel) -> list[tuple[str, str]]:
    return [(item.id, item.where) for item in examine_influence(model, unfold(model))]


def test_lists_and_fields_that_may_be_missing_matter_like_others() -> None:
    assert found(claims()) == []


def test_a_list_that_is_read_in_vain_is_pointed_out() -> None:
    old = "count(c for c in earlier_claims if c.was_late) >= 2"
    vain = (old, "count(c for c in earlier_claims) >= 0")

    # Whether the list is there still matters: the rules on the review ask for it.
    assert found(claims(vain)) == []
    review = ("not present(earlier_claims), then: thorough", "frozen, then: thorough")
    third = ("risk < much_risk and present(earlier_claims)", "risk < much_risk and not frozen")
    points = ("present(earlier_claims) and count(c", "count(c")
    assert ("field-without-influence", "fields.earlier_claims") in found(
        claims(vain, points, review, third)
    )


def test_a_field_matters_to_what_an_action_writes_and_is_handed() -> None:
    # With the factor gone, customers of both tiers are released alike.
    alike = ("<= open_limit * prime_factor", "<= open_limit")
    taken = "takes: [order_id]\n      returns: [reserved"
    keyed = (taken, taken.replace("order_id", "order_id, customer_id"))
    handed = (taken, taken.replace("order_id", "order_id, customer_id, tier"))
    written = ("min(reservations + 1, 3)", "min(reservations + (2 if tier == 'Prime' else 1), 3)")

    assert ("field-without-influence", "fields.tier") in found(orders(alike))
    assert found(orders(alike, keyed, written)) == []
    assert found(orders(alike, handed)) == []


def test_a_decision_on_which_nothing_depends_is_pointed_out() -> None:
    # Both results of the rule that reads the points are the same.
    vain = (CARE, "        - {id: C1, when: service_points > 2, then: plain}\n")
    later = (
        ("call: findParcel\n        decide: [care]\n", "call: findParcel\n"),
        ("call: priceParcel\n", "call: priceParcel\n        decide: [care]\n"),
    )

    assert found(parcel()) == [POINTS]
    assert POINTS in found(parcel(vain, *later))
    matters = (CARE, "        - {id: C1, when: service_points > 2, then: careful}\n")
    assert found(parcel(matters, *later)) == []


def test_a_decision_that_only_a_call_takes_matters() -> None:
    # The surcharge is handed to releaseParcel and nothing else reads it.
    guard = ("is: surcharge <= 30,", "is: weight <= 30,")
    takes = ("takes: [parcel_id, care, surcharge]", "takes: [parcel_id, care, surcharge, weight]")
    other = (CHAIN, CHAIN.replace("surcharge > 10", "weight > 10"))

    assert ("decision-without-influence", "decisions.surcharge") not in found(
        parcel(guard, takes, other)
    )


def test_an_outcome_that_every_end_sets_anew_is_decided_in_vain() -> None:
    ends = (
        ("end: {release: released}", "end: {release: released, care: plain}"),
        ("end: {release: held}", "end: {release: held, care: careful}"),
    )
    call = ("takes: [parcel_id, care, surcharge]", "takes: [parcel_id, surcharge]")
    leaf = ("is: care == 'plain'", "is: surcharge <= 10")

    assert found(parcel(*ends, call, leaf)) == [
        POINTS,
        ("decision-without-influence", "decisions.care"),
    ]


def test_what_is_scored_matters_by_itself() -> None:
    scored = ("service_points: {", "service_points: {scored: true, ")

    assert POINTS in found(parcel())
    assert POINTS not in found(parcel(scored))


def test_constants_that_move_a_case_are_not_pointed_out() -> None:
    # No parcel is more than 89 days late. Twice 60 days are never reached, but 1 day is.
    never = ("grace: {value: 3,", "grace: {value: 120,")

    assert "policy.grace" not in [where for _, where in found(parcel(never))]


def test_a_constant_of_rules_that_agree_is_pointed_out() -> None:
    vain = (CARE, "        - {id: C1, when: weight > free_weight * 2, then: plain}\n")
    free = ("(weight - free_weight) * rate if weight > free_weight else 0", "weight * rate")

    assert ("policy-without-influence", "policy.free_weight") in found(parcel(vain, free))
    assert ("policy-without-influence", "policy.rate") not in found(parcel(vain, free))


def test_a_constant_without_which_a_table_would_have_a_gap_is_not_pointed_out() -> None:
    # The last rule decides all that is left to it, whatever it asks.
    formula = '{value: "(weight - free_weight) * rate if weight > free_weight else 0"}'
    first = "{id: U1, when: weight <= 5, then: 0}"
    last = "{id: U2, when: weight > free_weight, then: weight * rate}"
    table = f"{{hit: first, rules: [{first}, {last}]}}"

    assert "policy.free_weight" not in [where for _, where in found(parcel((formula, table)))]


def test_constants_that_nothing_reads_are_pointed_out(patient_brief: Brief) -> None:
    spare = ("policy:\n", "policy:\n    spare: {value: 7, meaning: nothing}\n")
    text = changed(PARCEL, spare)
    workspace = Workspace(patient_brief, {DOMAIN: text})

    assert [(item.id, item.where) for item in UNUSED_FIELDS.examine(workspace)] == [
        ("policy-not-used", "policy.spare")
    ]


ATOMS = ("fragile", "service == 'Night'", "'Glass' in contents", "weight > 5")


def test_a_field_matters_where_two_rows_say_so() -> None:
    random = Random(3)  # noqa: S311 - made cases, no secrets
    rows = [
        row(fragile=fragile, service=service, contents=contents, weight=weight)
        for fragile, service, contents, weight in product((0, 1), (0, 2), (0, 2), (400, 600))
    ]
    vain = 0
    for _ in range(30):
        texts = [
            f"{random.choice(ATOMS)} {random.choice(['and', 'or'])} not {random.choice(ATOMS)}"
            for _ in range(2)
        ]
        rules = f'        - {{id: C1, when: "{texts[0]}", then: careful}}\n'
        edge = f'{{when: "{texts[1]}", to: hold}}'
        model = parcel(
            (CARE, rules),
            ('{when: "present(due_on) and days_between(due_on, sent_on) > grace", to: hold}', edge),
            ("is: surcharge <= 30", "is: surcharge <= 60"),
            ("is: surcharge > 10", "is: surcharge > -10"),
        )
        alike = all(
            collect_outcomes(model, label_row(model, case))
            == collect_outcomes(model, label_row(model, {**case, "service": other}))
            for case in rows
            for other in (0, 2)
        )
        read = any("service ==" in text for text in texts)

        reported = ("field-without-influence", "fields.service") in found(model)

        assert model.fields["service"].role is Role.OBSERVED
        assert reported == (alike and read), texts
        vain += reported
    assert vain > 0
