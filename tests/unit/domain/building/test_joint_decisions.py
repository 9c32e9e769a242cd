"""Tables that give several fields: what they become, and what is refused of them."""

from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.rules import Formula, Table
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.solving.examining.tables import examine_tables
from tests.worlds.small_models import dispatch

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


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            (E1, E1.replace("pair, van: large van", "pair")),
            "result-fields",
            "this result gives crew, but the table gives crew, van",
        ),
        (
            (E1, E1.replace("{crew: pair, van: large van}", "pair")),
            "result-fields",
            "this result gives one value, but the table gives crew, van",
        ),
        (
            ("Door: {stock: depot, lead_time: 2}", "Door: {stock: depot, lead: 2}"),
            "result-fields",
            "this result gives stock, lead, but the table gives stock, lead_time",
        ),
        (
            ("gives: [crew, van]", "gives: [crew, vans]"),
            "unknown-field",
            "there is no field 'vans'",
        ),
        (
            ("gives: [crew, van]", "gives: [crew, crew]"),
            "duplicate-name",
            "'gives' names 'crew' twice",
        ),
        (
            ("    equipment:\n", "    team:\n"),
            "duplicate-name",
            "'team' is a field, but a table that gives several fields needs a name of its own",
        ),
        (
            ("decide: [routing, equipment]", "decide: [team, rank, visit_note, equipment]"),
            "decided-apart",
            "'team' is decided by the table 'routing'",
        ),
        (
            (E1, E1.replace("large van", "\"'large van' if crew == 'pair' else van\"")),
            "cyclic-decisions",
            "",
        ),
        (
            ("otherwise: needless", "otherwise: {consent: needless}"),
            "result-fields",
            "rule C3 gives consent, but the table gives one field",
        ),
    ],
    ids=[
        *("one left out", "a plain result", "another name in a row", "no such field", "twice"),
        *("named as a field", "decided apart", "read by itself", "not said to give several"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_once(
    change: tuple[str, str], code: str, message: str
) -> None:
    with pytest.raises(MaterialError) as refused:
        dispatch(change)
    found = [fault for fault in refused.value.faults if fault.code == code]

    assert found
    assert message in {fault.message for fault in found} or not message
    assert len(set(refused.value.faults)) == len(refused.value.faults)


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
