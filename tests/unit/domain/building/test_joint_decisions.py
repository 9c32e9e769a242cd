"""Tables that give several fields: what they become, and what is refused of them."""

from __future__ import annotations

from sopforge.language.domain.rules import Formula, Table
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.solving.examining.tables import examine_tables
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults
from tests.worlds.small_models import DISPATCH, dispatch

E1 = "{id: E1, when: team == 'fitters' and district == 'Hill', then: {crew: pair, van: large van}}"


def test_each_field_is_decided_under_the_same_conditions() -> None:
    model = dispatch()
    team, rank = model.decisions["team"], model.decisions["rank"]

    assert isinstance(team, Table)
    assert isinstance(rank, Table)
    assert [rule.id for rule in team.rules] == ["R1", "R2", "R3", "R4"]
    # The same objects: what is worked out of one is known of the other.
    assert all(one.when is other.when for one, other in zip(team.rules, rank.rules, strict=True))
    assert (team.name, team.shared) == ("routing", rank.shared)
    assert team.description == "who does the repair, how soon, and what the tenant is left"


def test_a_step_decides_all_that_a_table_gives() -> None:
    decided = {name: step.decide for name, step in dispatch().steps.items()}

    assert decided["find"] == ("team", "rank", "visit_note", "crew", "van")
    assert decided["price"] == ("stock", "lead_time", "consent")


def test_a_look_up_gives_each_field_its_own_entries() -> None:
    stock, days = (dispatch().decisions[name] for name in ("stock", "lead_time"))

    assert isinstance(stock, Formula)
    assert isinstance(days, Formula)
    assert [entry.value for entry in days.value.entries] == [6, 0, 2]  # type: ignore[union-attr]  # a look-up
    assert [entry.value for entry in stock.value.entries] == [1, 0, 0]  # type: ignore[union-attr]


def test_what_is_wrong_with_a_table_is_said_once(golden: Golden) -> None:
    faults = list_faults(
        [(E1, E1.replace("pair, van: large van", "pair"))],
        [(E1, E1.replace("{crew: pair, van: large van}", "pair"))],
        [("Door: {stock: depot, lead_time: 2}", "Door: {stock: depot, lead: 2}")],
        [("gives: [crew, van]", "gives: [crew, vans]")],
        [("gives: [crew, van]", "gives: [crew, crew]")],
        [("    equipment:\n", "    team:\n")],
        [("decide: [routing, equipment]", "decide: [team, rank, visit_note, equipment]")],
        [(E1, E1.replace("large van", "\"'large van' if crew == 'pair' else van\""))],
        [("otherwise: needless", "otherwise: {consent: needless}")],
        base=DISPATCH,
        source="dispatch.yaml",
    )
    golden(FAULTS / "joint_decisions.txt", faults)


def test_a_gap_of_a_table_is_found_once() -> None:
    found = examine_tables(
        dispatch(("when: team != 'fitters', then", "when: team == 'plumbers', then"))
    )

    assert [(item.id, item.where) for item in found] == [("gap", "decisions.equipment")]


def test_a_wrong_condition_changes_all_that_the_table_gives_and_a_wrong_result_one_field() -> None:
    model = dispatch()
    changed = {
        mutant.words: {
            name
            for name in model.decisions
            if mutant.model.decisions[name] != model.decisions[name]
        }
        for mutant in derive_mutants(model)
    }

    assert changed["in 'routing', rule R1, 19 for 20"] == {"team", "rank", "visit_note"}
    assert changed["in 'routing', rule R2 before rule R1"] == {"team", "rank", "visit_note"}
    assert changed["in 'rank', rule R1, result, 4 for 5"] == {"rank"}
    assert changed["in 'prices', row Water taken for Heating"] == {"call_out", "parts_cost"}
