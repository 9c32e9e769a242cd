"""Predicates: named conditions, read wherever a condition stands."""

from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.condition_sources import derive_condition_sources
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from tests.worlds.counters import Parts, build_counter, find_rule

COVERED = {"takes": ["account", "amount"], "is": "account.balance >= amount"}
RISKY = {"takes": ["account"], "is": "amount > small_limit and account.owner.standing == 'Watched'"}
IDENTIFIED = {"is": "pin == payer.code"}


def read_counter(predicates: dict[str, object], **changes: str) -> DomainModel:
    """Return the counter's model with predicates, and with other conditions of rules by their ids.

    The condition ``guard`` is a further check of the transfer.
    """

    def change(model: Parts) -> None:
        model["predicates"] = predicates
        for name in changes.keys() - {"guard", "constraint"}:
            find_rule(model, name)["when"] = changes[name]
        if "guard" in changes:
            transfer = model["tools"]["transferMoney"]
            further = {"id": "C", "is": changes["guard"], "refusal": "short", "says": "it is short"}
            transfer["requires"] = {"id": "A", "chain": [transfer["requires"], further]}
        if "constraint" in changes:
            model["constraints"] = [changes["constraint"]]

    return build_counter(change)


@pytest.fixture(scope="module")
def model() -> DomainModel:
    """The counter with a predicate in a rule and in a guard, and others."""
    return read_counter(
        {"covered": COVERED, "risky": RISKY, "identified": IDENTIFIED},
        R3="risky(payer)",
        R4="not covered(payer, amount)",
        guard="covered(source, amount)",
        constraint="identified",
    )


def get_condition(model: DomainModel, name: str) -> Expression:
    """Return the condition of a rule on the reason."""
    table = model.decisions["reason"]
    assert isinstance(table, Table)
    return next(rule.when for rule in table.rules if rule.id == name and rule.when)


def find_codes(predicates: dict[str, object], **changes: str) -> list[str]:
    """Return the codes of the faults that a counter with these predicates has."""
    with pytest.raises(MaterialError) as refused:
        read_counter(predicates, **changes)
    return [fault.code for fault in refused.value.faults]


def test_a_predicate_is_what_it_stands_for(model: DomainModel) -> None:
    plain = read_counter(
        {},
        R3="amount > small_limit and payer.owner.standing == 'Watched'",
        R4="not payer.balance >= amount",
        guard="source.balance >= amount",
    )
    assert model.decisions == plain.decisions
    assert model.tools == plain.tools
    assert model.constraints == plain.constraints


def test_one_name_serves_rules_and_guards(model: DomainModel) -> None:
    """What a guard says of its parameter is said of the account that the step hands it."""
    ((name, condition),) = model.predicates["covered"].uses.items()
    assert name == "covered(payer, amount)"
    check = list_guard_checks(model.tools["transferMoney"].guard)[-1]
    assert check.test == condition
    assert holds(condition, {"payer_balance": 500_00, "amount": 500_00})
    assert not holds(condition, {"payer_balance": 499_99, "amount": 500_00})


def test_a_predicate_about_several_records_has_a_use_for_each() -> None:
    model = read_counter(
        {"shut": {"takes": ["account"], "is": "account.blocked"}},
        R2="shut(payer) or shut(payee)",
    )
    assert list(model.predicates["shut"].uses) == ["shut(payer)", "shut(payee)"]
    wrong = [item for item in derive_mutants(model) if item.id.startswith("mutant predicate shut")]
    (mistake,) = wrong
    row = {"payer_blocked": 0, "payee_blocked": 1}
    second = get_condition(mistake.model, "R2")
    # Both sides are read as their opposite at once, so that one open account suffices.
    assert holds(second, {"payer_blocked": 1, "payee_blocked": 0})
    assert holds(second, row)
    assert not holds(second, {"payer_blocked": 1, "payee_blocked": 1})


def test_a_predicate_may_read_those_above_it() -> None:
    model = read_counter(
        {
            "small": {"is": "amount <= small_limit"},
            "easy": {"takes": ["account"], "is": "small and not account.blocked"},
        },
        R2="not easy(payer)",
    )
    assert list(model.predicates["small"].uses) == ["small"]
    assert list(model.predicates["easy"].uses) == ["easy(payer)"]


def test_a_number_or_a_constant_may_stand_in_brackets() -> None:
    model = read_counter(
        {"over": {"takes": ["sum", "limit"], "is": "sum > limit"}},
        R3="over(amount, small_limit) and over(payer.balance, 10)",
    )
    uses = model.predicates["over"].uses
    assert list(uses) == ["over(amount, small_limit)", "over(payer.balance, 10)"]
    assert holds(uses["over(amount, small_limit)"], {"amount": 500_01})
    assert not holds(uses["over(payer.balance, 10)"], {"payer_balance": 10_00})


@pytest.mark.parametrize(
    ("predicates", "used", "code"),
    [
        ({"amount": {"is": "small_limit > 3"}}, "amount > 3", "duplicate-name"),
        ({"sum": {"is": "small_limit > 3"}}, "amount > 3", "duplicate-name"),
        ({"source": {"is": "amount > 3"}}, "amount > 3", "duplicate-name"),
        ({"p": {"takes": ["a", "a"], "is": "a > 3"}}, "amount > 3", "duplicate-name"),
        ({"p": {"is": "amont > 3"}}, "amount > 3", "unknown-field"),
        ({"p": {"takes": ["a"], "is": "a >"}}, "amount > 3", "syntax-error"),
        ({"p": {"is": "q"}, "q": {"is": "amount > 3"}}, "p", "unknown-field"),
        ({"p": {"takes": ["a"], "is": "a > 3"}}, "p", "type-error"),
        ({"p": {"takes": ["a"], "is": "a > 3"}}, "p(amount, amount)", "type-error"),
        ({"p": {"takes": ["a"], "is": "a > 3"}}, "p(amount + 1)", "type-error"),
        ({"p": {"takes": ["a"], "is": "a > 3"}}, "p(payer)", "type-error"),
        ({"p": {"takes": ["a"], "is": "a.colour"}}, "p(payer)", "unknown-field"),
        ({"p": {"takes": ["a"], "is": "logged_in and a > 3"}}, "p(amount)", "unknown-field"),
        ({}, "covred(payer)", "unknown-function"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_a_fault(
    predicates: dict[str, object], used: str, code: str
) -> None:
    assert code in find_codes(predicates, R4=used)


def test_predicates_within_predicates_come_to_an_end() -> None:
    """Each reads the one above it twice: sixty of them would be more conditions than there are."""
    chain: dict[str, object] = {"p0": {"is": "amount > 3"}}
    chain |= {f"p{n}": {"is": f"p{n - 1} and p{n - 1}"} for n in range(1, 60)}
    assert "expression-too-long" in find_codes(chain, R4="p59")


def test_a_mistake_about_a_predicate_is_one_wherever_it_is_used(model: DomainModel) -> None:
    found = {item.words: item for item in derive_mutants(model)}
    wrong = found["in the predicate 'covered', > for >="].model
    row: dict[str, Value | None] = {
        "payer_balance": 500_00,
        "amount": 500_00,
        "payer": "A1",
        "payee": "A2",
    }
    rule = get_condition(wrong, "R4")
    check = list_guard_checks(wrong.tools["transferMoney"].guard)[-1]
    assert holds(rule, row)
    assert not holds(check.test, row)
    places = [words for words in found if "rule R4, >" in words or "guard C, >" in words]
    assert not places


def test_without_predicates_no_mistake_is_lost() -> None:
    """A name groups mistakes; none of those about the condition itself is left out."""
    named = read_counter({"covered": COVERED}, R4="not covered(payer, amount)")
    plain = read_counter({}, R4="not payer.balance >= amount")
    kinds = [
        sorted(item.words.rpartition(", ")[2] for item in derive_mutants(found))
        for found in (named, plain)
    ]
    assert kinds[0] == kinds[1]


def test_what_makes_a_condition_known_and_hold_is_derived(model: DomainModel) -> None:
    found = {item.name: item for item in derive_condition_sources(model)}
    covered = found["predicate covered(payer, amount)"]
    assert covered.known_by["amount"] == ("the task",)
    assert covered.known_by["payer_balance"] == (
        "getAccount (account: payer)",
        "transferMoney (source: payer, target: payee, amount)",
    )
    assert covered.achieved_by == ("transferMoney",)
    assert covered.calls == ("getAccount[payer]",)
    # The owner is known once the account was read.
    risky = found["predicate risky(payer)"]
    assert risky.calls == ("getAccount[payer]", "getOwner")
    assert risky.achieved_by == ()
    assert found["predicate identified"].hidden == ("payer_code",)
    session = found["guard transferMoney.T"]
    assert session.known_by["logged_in"] == ("the session, which begins with no",)
    assert session.achieved_by == ("openSession",)
    assert "guard transferMoney.C" not in found


def test_a_story_says_the_name(model: DomainModel) -> None:
    condition = model.predicates["covered"].uses["covered(payer, amount)"]
    known = {"payer_balance": 100_00, "amount": 500_00}
    said = Storyteller(model).explain_condition(condition, known)
    assert said.startswith("covered(payer, amount) does not hold: the balance of the paying")
