"""What two versions of a domain with tables leave on file, and what becomes of their actions.

What is expected is worked out from the brief's text by hand, in integers of cents.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task, write_tasks, write_trajectories
from sopforge.pipeline.changes.cases import CaseChanges, CaseVerdict, compare_cases
from sopforge.pipeline.changes.changelog import describe_cases, describe_example
from sopforge.pipeline.changes.changes import Bump, Changes
from sopforge.pipeline.changes.examples import Example, FiledRecord
from sopforge.pipeline.changes.items import compare_items
from sopforge.pipeline.changes.row_consequences import ConsequenceKind
from sopforge.pipeline.changes.tasks import compare_tasks
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.workspace import TASKS, TRAJECTORIES
from tests.worlds.changed_briefs import model_of
from tests.worlds.counter_rows import COUNTER, GUARDED, NAMED

TEXT = COUNTER
SEED = 7
CHARGED = (
    "target.balance: target.balance + amount}",
    "target.balance: target.balance + amount - 1.00}",
)
"""The receiving account is charged a fee, which no answer shows."""
TURNED = ("with: {source: payer, target: payee}", "with: {source: payee, target: payer}")
MOST, SMALL = 500_000, 50_000


@dataclass(frozen=True)
class End:
    """What becomes of a case at the counter: what the receiving account gets, and why not."""

    verdict: str
    reason: str
    fate: str
    got: int = 0


def settle(row: dict[str, object], *, limit: int = MOST, fee: int = 0) -> End:
    """Work a case out from the brief's text.

    ``limit`` is the highest amount for an account that holds 100 EUR or more.
    """
    if row["payer_record"] is None or row["payee_record"] is None:
        return End("refused", "unknown account", "not called")
    amount, payer, payee = (row[n] for n in ("amount", "payer_balance", "payee_balance"))
    assert isinstance(amount, int)
    assert isinstance(payer, int)
    assert isinstance(payee, int)
    is_watched = bool(row["payer_owner_standing"])
    reasons = {
        "same account": row["payer"] == row["payee"],
        "blocked account": row["payer_blocked"] or row["payee_blocked"],
        "too much": (amount > SMALL and is_watched) or amount > payer,
    }
    fates = {
        "refused (too_high)": amount > limit and payee >= 10_000,
        "refused (out_of_range)": not 0 <= payee + amount - fee <= MOST,
    }
    reason = next((name for name, holds in reasons.items() if holds), "")
    if reason:
        return End("refused", reason, "not called")
    fate = next((name for name, holds in fates.items() if holds), "")
    if fate:
        return End("refused", "too much", fate)
    return End("carried out", "none given", "carried out", amount - fee)


def changes_of(*changes: tuple[str, str]) -> CaseChanges:
    return compare_cases(model_of(TEXT), model_of(TEXT, *changes), SEED)


def count_turns(found: CaseChanges, kind: ConsequenceKind) -> dict[tuple[str, str, str], int]:
    (sample,) = found.samples
    turns = [turn for turn in sample.turns if turn.kind is kind]
    return {(turn.outcome, turn.old, turn.new): turn.count for turn in turns}


def rows_of(model: DomainModel) -> list[dict[str, object]]:
    return [dict(row) for row in sample_rows(model, SEED, range(2_000))]


def test_an_effect_that_no_answer_shows_shows_on_file() -> None:
    found = changes_of(CHARGED)
    rows = rows_of(model_of(TEXT, CHARGED))
    ends = [(settle(row), settle(row, fee=100)) for row in rows]
    differing = [pair for pair in ends if pair[0] != pair[1]]
    (sample,) = found.samples
    assert found.verdict is CaseVerdict.DIFFERENT
    assert (sample.compared, sample.different) == (len(rows), len(differing))
    both = sum(1 for was, now in differing if was.got and now.got)
    on_file = count_turns(found, ConsequenceKind.ON_FILE)
    assert (
        on_file["balance of the receiving account", "changed", "changed to another value"] == both
    )
    assert ("balance of the paying account", "changed", "changed to another value") not in on_file
    assert both > len(differing) // 2


def test_the_shortest_example_of_an_effect_says_what_each_version_leaves_on_file() -> None:
    examples = [
        item
        for item in changes_of(CHARGED).examples
        if item.has_other_records and not item.other_answers
    ]
    example = examples[0]
    before = {item.key: item.columns for item in example.records}
    payer, payee = example.case["payer"], example.case["payee"]
    amount = cents(example.case["amount"])
    old, new = ends_of(example.old.on_file), ends_of(example.new.on_file)
    assert old[payer] == new[payer] == cents(before[payer]["balance"]) - amount
    assert old[payee] == cents(before[payee]["balance"]) + amount
    assert new.get(payee, cents(before[payee]["balance"])) == old[payee] - 100
    text = "\n".join(describe_example(example))
    assert f"account {payee}: balance" in text
    assert "plus the amount minus 1 EUR" in text


def cents(cell: str) -> int:
    return round(float(cell) * 100)


def ends_of(records: tuple[FiledRecord, ...]) -> dict[str, int]:
    return {item.key: cents(item.columns["balance"]) for item in records}


def test_a_new_leaf_of_a_guard_is_counted_and_named_with_what_it_compared() -> None:
    found = changes_of(GUARDED, NAMED)
    rows = rows_of(model_of(TEXT, GUARDED, NAMED))
    fates = [(settle(row).fate, settle(row, limit=90_000).fate) for row in rows]
    expected = {
        ("transferMoney", was, now): fates.count((was, now))
        for was, now in set(fates)
        if was != now
    }
    assert len(expected) == 2
    assert count_turns(found, ConsequenceKind.ACTION) == expected
    refused = find_example(found, "refused (too_high)")
    assert refused.new.item == "guard transferMoney.T2"
    assert "the amount is more than 900 EUR" in refused.new.reason
    assert f"(amount: {refused.case['amount']})" in refused.new.reason
    assert cents(refused.case["amount"]) > 90_000
    assert refused.new.on_file == ()
    assert refused.new.clause is None


def find_example(found: CaseChanges, fate: str) -> Example:
    return next(
        item
        for item in found.examples
        if item.new.actions["transferMoney"] == fate and item.other_actions
    )


def test_a_refusal_by_another_code_alone_is_a_change_of_actions_and_of_no_answer() -> None:
    one = model_of(TEXT, GUARDED, NAMED)
    renamed = GUARDED[1].replace("too_high", "over_limit")
    two = model_of(
        TEXT,
        (GUARDED[0], renamed),
        ("out_of_range: full}", "out_of_range: full, over_limit: full}"),
    )
    found = compare_cases(one, two, SEED)
    assert found.verdict is CaseVerdict.DIFFERENT
    assert {turn.kind for sample in found.samples for turn in sample.turns} == {
        ConsequenceKind.ACTION
    }
    assert not found.turns_tasks


def test_references_handed_over_the_other_direction_move_money_back() -> None:
    found = changes_of(TURNED)
    example = next(item for item in found.examples if not item.other_answers)
    before = {
        item.key: cents(item.columns["balance"])
        for item in example.records
        if item.table == "account"
    }
    amount, payer = cents(example.case["amount"]), example.case["payer"]
    assert ends_of(example.old.on_file)[payer] == before[payer] - amount
    assert ends_of(example.new.on_file)[payer] == before[payer] + amount


def test_of_a_range_the_solver_finds_the_least_case_beyond_the_new_one() -> None:
    found = changes_of(("min: 0.00, max: 5000.00", "min: 0.00, max: 4000.00"))
    example = found.examples[0]
    assert example.source == "the solver"
    records = {item.key: item.columns for item in example.records if item.table == "account"}
    payee, amount = cents(records[example.case["payee"]]["balance"]), cents(example.case["amount"])
    assert payee <= 400_000 < payee + amount
    assert (amount, payee + amount) == (100, 400_001)
    assert example.new.actions == {**example.old.actions, "transferMoney": "refused (out_of_range)"}
    assert found.narrowed == ("account.balance",)


def test_words_of_an_action_change_nothing_on_file() -> None:
    found = changes_of(
        ("says: nobody is logged in", "says: no one is"), ("title: Move the", "title: Send the")
    )
    assert found.verdict is CaseVerdict.ALIKE
    (sample,) = found.samples
    assert (sample.different, sample.turns) == (0, ())


def test_an_action_of_one_version_alone_is_said_not_to_be_compared() -> None:
    found = changes_of(
        ("    transferMoney:\n", "    moveMoney:\n"), ("call: transferMoney", "call: moveMoney")
    )
    assert (found.acts_of_old, found.acts_of_new) == (("transferMoney",), ("moveMoney",))
    assert found.verdict is CaseVerdict.ALIKE
    says = [line for line in describe_cases(found) if "not compared" in line]
    assert len(says) == 2


def test_a_changed_effect_is_one_aspect_by_the_label_of_its_column() -> None:
    (item,) = compare_items(model_of(TEXT), model_of(TEXT, CHARGED))
    (aspect,) = item.aspects
    assert item.name == "transferMoney"
    assert aspect.name == "sets the balance of the receiving account to"
    assert aspect.new == f"{aspect.old} minus 1 EUR"


def task(**changes: object) -> Task:
    plain = {
        "id": "task-1",
        "key": "fill:1",
        "inputs": {"amount": "2.00"},
        "outcomes": {"verdict": "carried out"},
        "path": ("move",),
        "rules": {},
        "calls": (),
    }
    return Task(**{**plain, **changes})  # type: ignore[arg-type]  # named as they are


def test_a_kept_task_that_leaves_something_else_on_file_asks_for_a_major_release() -> None:
    sides = [
        {TASKS: write_tasks([item]), TRAJECTORIES: write_trajectories([item])}
        for item in (
            task(end_state={"account": {"A1": {"balance": 3.5, "blocked": False}}}),
            task(end_state={"account": {"A1": {"balance": 2.5}}}),
        )
    ]
    found = compare_tasks(*sides)
    (change,) = found.changed
    cells = {(cell.name, cell.old, cell.new) for cell in change.records}
    assert cells == {("account A1, balance", "3.5", "2.5"), ("account A1, blocked", "no", "")}
    assert change.answers == ()
    assert Changes((TASKS,), (), (), None, found, (), ()).bump is Bump.MAJOR


@pytest.mark.parametrize("change", [CHARGED, TURNED])
def test_a_model_whose_tasks_are_not_made_anew_asks_for_a_major_release(
    change: tuple[str, str],
) -> None:
    old, new = model_of(TEXT), model_of(TEXT, change)
    rows = sample_rows(old, SEED, range(100))
    found = compare_cases(old, new, SEED, rows)
    assert found.turns_tasks
    assert (
        Changes(("schema/domain.yaml",), (), (), found, compare_tasks({}, {}), (), ()).bump
        is Bump.MAJOR
    )
