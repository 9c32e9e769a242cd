"""Mutants: which mistakes there are, and that the tasks notice each that can be noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.covering import Covering, Unmet, cover_goals
from sopforge.proof.dataset.coverage.drawing import index_sightings
from sopforge.proof.dataset.coverage.sighting import Sighting
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.sampling.sampling import sample_row
from tests.judges.walked_mistakes import Walked
from tests.worlds.small_models import claims, orders, warranty

ORDERS = orders()
MISTAKES = [
    "open_limit of 4999",
    "open_limit of 5001",
    "prime_factor of 2",
    "prime_factor of 4",
    "in 'release', rule R1, 4999 for 5000",
    "in 'release', rule R1, - for +",
    "in 'release', rule R1, the first term left out",
    "in 'release', rule R1, or for and",
    "in 'release', rule R1, part 2 of 2 left out",
    "in 'release', rule R1, Standard for Prime",
    "in 'release', rule R1, != for ==",
    "in 'release', rule R1, < for <=",
    "in 'release', rule R1 dropped",
    "in 'release', rule R2, < for <=",
    "in 'release', rule R2, == for <=",
    "in 'release', rule R2, 4999.99 for 5000.00",
    "in 'release', rule R2, result, held for released",
    "in 'release', rule R2 dropped",
    "in 'release', rule R3 dropped",
    "in 'release', rule R2 before rule R1",
    "in 'release', the last rule that applies, not the first",
    "in 'reason', rule N1, != for ==",
    "in 'reason', rule N1 dropped",
    "in 'reason', rule N2 dropped",
    "at step 'read', edge 1, no test whether customer_id is there",
    "at step 'read', edge 1 dropped",
    "at step 'read', edge 1 to 'customer'",
    "at step 'read', edge 2 to 'no_customer'",
    "at step 'customer', edge unknown_record to 'region'",
    "at step 'reserve', edge too_many to 'decide'",
    "at step 'no_stock', release released for held",
    "at step 'no_stock', reason in order for no stock",
    "in 'reserveGoods', guard G1, no for yes of reserved",
    "in 'reserveGoods', guard G2, <= for <",
    "in 'reserveGoods', guard G2, 2 for 3",
    "in 'reserveGoods', guard G2, 4 for 3",
    "in 'reserveGoods', guard G2 dropped",
    "in 'reserveGoods', guard G2 before guard G1",
    "in 'reserveGoods', effect on 'reserved', no for yes",
    "in 'reserveGoods', effect on 'reservations', - for +",
    "in 'reserveGoods', effect on 'reservations', max for min",
    "Standard read as Prime in 'tier'",
    "Prime read as Standard in 'tier'",
]


COUNTED = {
    About.LIMIT: 8,  # two of each constant of the policy, of R2's 5000 and of G2's 3
    About.COMPARATOR: 17,  # five other relations in R1, R2 and G2, one of each equality
    # Another for Prime, or beside it, two of each for N1's, what is reserved, the tiers confused.
    About.LABEL: 9,
    About.CONSTANT: 20,  # R1 7, R2 3, the reservations 10
    About.CONDITION: 7,  # R1 3, the walk-in 1, the region 1, G1 2
    About.ORDER: 7,  # each rule dropped, R2 before R1, the last of the releases
    About.RESULT: 12,  # two other releases of three rules, three other reasons of two
    About.MISSING: 1,
    About.EDGE: 11,  # read 3, customer 2, region 3, reserve 3
    About.END: 15,  # two other releases and three other reasons at three ends
    About.GUARD: 3,
}


def seen(covering: Covering) -> dict[str, Sighting]:
    return index_sightings(covering, covering.tasks)


def test_the_mistakes_are_those_of_the_list() -> None:
    found = [mutant.words for mutant in derive_mutants(ORDERS)]

    assert [words for words in MISTAKES if words not in found] == []
    assert Counter(mutant.about for mutant in derive_mutants(ORDERS)) == COUNTED
    assert len({mutant.id for mutant in derive_mutants(ORDERS)}) == len(found)


@pytest.mark.parametrize("make", [orders, warranty], ids=["orders", "warranty"])
def test_a_task_notices_each_mutant_or_no_case_does(make: Callable[[], DomainModel]) -> None:
    """Walked with the mutant itself, as nothing that judges mutants does."""
    model = make()
    covering = cover_goals(model, 3)
    sightings = seen(covering)
    drawn = [sample_row(model, 77, number) for number in range(60)]
    drawn = [row for row in drawn if all(holds(item, row) for item in model.constraints)]
    tasks = [Walked(model, task.row) for task in covering.tasks]
    others = [item for item in (Walked(model, row) for row in drawn) if item.is_task]

    for goal in covering.mutants:
        (wrong,) = goal.wrong
        noticed = [item.noticed(wrong) for item in tasks]
        if None in noticed:
            continue  # a decision has no rule left: there is nothing to compare
        found = sightings[goal.id]
        by_column = zip(found.primary, found.outcomes, found.trajectory, strict=True)
        assert [tuple(map(bool, item)) for item in by_column] == noticed, goal.id
        if goal.id not in covering.unmet:
            assert found.outcomes.any(), goal.id
            continue
        seen_elsewhere = [item for item in (row.noticed(wrong) for row in others) if item]
        assert not any(answer for _, answer, _ in seen_elsewhere), goal.id
        if covering.unmet[goal.id] is Unmet.WITHOUT_EFFECT:
            assert not any(path for _, _, path in seen_elsewhere), goal.id


def test_edges_guards_calendars_and_points_have_mistakes_of_their_own() -> None:
    words = {mutant.words for mutant in derive_mutants(claims())}

    assert words >= {
        "a malformed 'claim_id' taken as what was meant",
        "at step 'done', settlement declined for paid",
        "at step 'find', edge 1 to 'decline'",
        "at step 'find', edge 2 before edge 1",
        "in 'payClaim', guard P1, != for ==",
        "in 'payClaim', guard P2 before guard P1",
        "in 'payClaim', guard P3 before guard P1",
        "in 'payClaim', guard P3 dropped",
        "in 'average_line', rounded down",
        "in 'days_taken', days for workdays",
        "in 'days_taken', 2026-04-03 as no holiday",
        "in 'risk', count for sum",
        "in 'risk', the first rule that applies alone",
    }
    # An edge back may be taken once less or more.
    assert {text for text in words if "edge 1 at most" in text} == {
        f"at step 'receipts', edge 1 at most {count} times" for count in (1, 3)
    }


def test_an_intermediate_scored_value_shows_a_mutant() -> None:
    """No outcome is decided by the points, which are scored."""
    points = (
        "        points: {role: derived, scored: true, type: integer, min: 0, max: 2,"
        " description: points}\n"
    )
    rules = "[{id: P1, when: amount >= 500, then: 1}, {id: P2, otherwise: 0}]"
    model = orders(
        ("        reserved: {role", f"{points}        reserved: {{role"),
        ("  decisions:\n", f"  decisions:\n    points: {{hit: first, rules: {rules}}}\n"),
        ("decide: [release, reason]", "decide: [points, release, reason]"),
    )
    covering = cover_goals(model, 3)

    found = {goal.id for goal in covering.mutants if goal.id.startswith("mutant points")}
    assert "mutant points, P1 dropped" in found
    assert found.isdisjoint(covering.unmet)
    assert all(seen(covering)[name].outcomes.any() for name in found)
    assert not any(seen(covering)[name].primary.any() for name in found)


def test_a_mistake_that_only_shows_on_the_path_is_distinguished() -> None:
    """Without the test for walk-ins, the look-up of no customer is refused: the same answer."""
    covering = cover_goals(ORDERS, 3)

    names = ["mutant edge read.1 1", "mutant read, edge 1 dropped"]
    assert [covering.unmet[name] for name in names] == [Unmet.PATH_ONLY] * 2
    by_walk = Walked(ORDERS, {**covering.tasks[0].row, "customer_id": None, "customer": None})
    for goal in covering.mutants:
        if goal.id in names:
            assert by_walk.noticed(*goal.wrong) == (False, False, True)
