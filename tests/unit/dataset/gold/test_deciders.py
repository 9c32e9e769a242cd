"""What decided a case: the node, and the comparisons of it that alone would have changed it."""

from __future__ import annotations

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.gold.deciders import describe_decider
from sopforge.proof.dataset.oracle import label_row
from tests.unit.dataset.gold.test_minimal import COUNTER, MODEL, make_row


@pytest.mark.parametrize(
    ("changed", "node", "refusal", "parts"),
    [
        ({"payer_record": None}, "openSession.payer_record", "unknown_record", [0]),
        ({"payee_record": None}, "getAccount.payee_record", "unknown_record", [0]),
        ({"payer_blocked": 1}, "reason.R2", "", [", part 1"]),
        ({"payee_blocked": 1}, "reason.R2", "", [", part 2"]),
        # Were one of them open, the other would still refuse.
        ({"payer_blocked": 1, "payee_blocked": 1}, "reason.R2", "", []),
        (
            {"amount": 60000, "payer_owner_standing": 1},
            "reason.R3",
            "",
            [", part 1", ", part 2"],
        ),
        ({"payer_balance": 100}, "reason.R4", "", [0]),
        (
            {"payee_balance": 499999},
            "transferMoney.range of payee_balance",
            "out_of_range",
            [0],
        ),
    ],
)
def test_a_refusal_names_what_decided_it(
    changed: dict[str, Value | None], node: str, refusal: str, parts: list[str | int]
) -> None:
    row = make_row(**changed)
    said = describe_decider(MODEL, row, label_row(MODEL, row))

    assert said["acts"] is False
    assert said["node"] == node
    assert said.get("refusal", "") == refusal
    assert said["parts"] == [f"{node}{part or ''}" for part in parts]


def test_a_case_that_changes_a_record_says_so() -> None:
    said = describe_decider(MODEL, make_row(), label_row(MODEL, make_row()))

    assert (said["acts"], said["step"], said["node"]) == (True, "decide", "reason.R5")


@pytest.mark.parametrize(
    ("blocked", "node"), [((1, 0), "G2"), ((0, 1), "G3"), ((1, 1), "G2")], ids=str
)
def test_of_a_guard_the_innermost_node_that_decided_is_named(
    blocked: tuple[int, int], node: str
) -> None:
    guard = """{id: G1, all: [
        {id: T, is: logged_in, refusal: no_session, says: nobody is logged in},
        {id: G2, is: not source.blocked, refusal: closed, says: it is blocked},
        {id: G3, is: not target.blocked, refusal: closed, says: it is blocked}]}"""
    rule = "        - {id: R2, when: payer.blocked or payee.blocked, then: blocked account}\n"
    leaf = "{id: T, is: logged_in, refusal: no_session, says: nobody is logged in}"
    refused = "refused: {out_of_range: full"
    text = COUNTER.replace(leaf, guard).replace(rule, "")
    text = text.replace(refused, f"{refused}, closed: full")
    model = read_brief(text, "counter.yaml").model
    row = make_row(payer_blocked=blocked[0], payee_blocked=blocked[1])
    said = describe_decider(model, row, label_row(model, row))

    assert said["node"] == f"transferMoney.{node}"
    assert said["refusal"] == "closed"
