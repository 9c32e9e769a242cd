"""Sessions that change records: each part of the judgement is wrong by itself.

Customer C1 holds the accounts A1, with 100.00 and the PIN K1111, and A2, with 7.00. The task moves
30.00 from A1 to A2.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import cast

import pytest

from sopforge.harness.environment.events import Called, Event, Reply, Said
from sopforge.harness.grading.calls import make_gold, make_terms, resolve_call
from sopforge.harness.grading.tables import SessionJudge
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.tasks import read_tasks, write_tasks, write_trajectories
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.tasks.writing import as_task
from sopforge.proof.dataset.trials.table_answers import TableAnswers
from sopforge.sandbox.answers import JSON
from sopforge.session.score import Attempt

MODEL = read_brief(
    (Path(__file__).parents[3] / "docs/examples/small_counter.yaml").read_text("utf-8"), "x.yaml"
).model
ROW: dict[str, Value | None] = {
    "request_id": "Q000001",
    "payer": "A000001",
    "payee": "A000002",
    "pin": "K1111",
    "amount": 3000,
    **dict.fromkeys(("payer_record", "payee_record"), 1),
    **dict.fromkeys(("payer_owner_record", "payee_owner_record"), 1),
    **dict.fromkeys(("payer_owner", "payee_owner"), "C00001"),
    **dict.fromkeys(("payer_owner_standing", "payee_owner_standing"), 0),
    "payer_balance": 10000,
    "payer_blocked": 0,
    "payer_code": "K1111",
    "payee_balance": 700,
    "payee_blocked": 0,
    "payee_code": "K2222",
}
MADE = [as_task(MODEL, Candidate("task-1", "", 1, ROW, label_row(MODEL, ROW)), 0)]
(TASK,) = read_tasks(write_tasks(MADE), write_trajectories(MADE))
JUDGE = SessionJudge(MODEL.offered, TableAnswers(MODEL, write_records(MODEL, [ROW])))


def call(tool: str, arguments: dict[str, JSON], refusal: str = "") -> Called:
    return Called(tool, arguments, Reply({}, refusal, "so"))


def login() -> Called:
    return call("openSession", {"account": "A000001", "pin": "K1111"})


def move(amount: str = "30.00", *, source: str = "A000001", refusal: str = "") -> Called:
    given: dict[str, JSON] = {"source": source, "target": "A000002", "amount": Decimal(amount)}
    return call("transferMoney", given, refusal)


def wrong_parts(*events: Event, answer: str = "done") -> set[str]:
    """Return the parts in which a session is wrong."""
    terms = make_terms(MODEL.offered, JUDGE.plain_secrets)
    called = [event for event in events if isinstance(event, Called)]
    attempt = Attempt(
        [resolve_call(terms, event) for event in called],
        [event.text for event in events if isinstance(event, Said)],
        answer,
        is_answered=True,
        end_state=JUDGE.compute_end_state(called),
    )
    gold = make_gold(MODEL.offered, terms, TASK)
    found = terms.judge_session(gold, attempt, is_checked=True, is_right=True)
    assert set(found) == {"end state", "writes", "once", "checks", "reason", "secrecy"}
    return {part for part, is_sound in found.items() if not is_sound}


def test_the_task_says_what_the_tables_hold_at_its_end() -> None:
    changes = {
        key: record for table in (TASK.end_state or {}).values() for key, record in table.items()
    }

    assert json.loads(json.dumps(changes, default=float)) == {
        "A000001": {"balance": 70.0},
        "A000002": {"balance": 37.0},
    }


def test_the_gold_calls_are_right_in_all() -> None:
    made = [
        call(gold.tool, cast("dict[str, JSON]", gold.arguments), gold.refusal)
        for gold in TASK.calls
    ]

    assert [gold.tool for gold in TASK.calls][-1] == "transferMoney"
    assert wrong_parts(*made) == set()


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        pytest.param([login(), move("20.00")], {"end state", "writes"}, id="wrong amount"),
        pytest.param([login(), move(), move()], {"end state", "writes", "once"}, id="done twice"),
        pytest.param([login()], {"end state", "writes"}, id="not done"),
        pytest.param([login(), login(), move()], {"writes", "once"}, id="logged in twice"),
        pytest.param([login(), move("10.00"), move("20.00")], {"writes"}, id="in two moves"),
        pytest.param(
            [login(), move(), call("openSession", {"account": "A000002", "pin": "K2222"})],
            {"writes"},
            id="a write beside",
        ),
        pytest.param(
            [login(), move("31.00"), move("1.00", source="A000002")],
            {"end state", "writes"},
            id="other writes",
        ),
        pytest.param(
            [move(refusal="no_session"), login(), move()], set(), id="refused, and done then"
        ),
        pytest.param(
            [login(), call("transferMoney", {"source": "A000001"}, "invalid_parameter"), move()],
            set(),
            id="a call that no tool takes, and done then",
        ),
    ],
)
def test_writes_are_just_the_right_ones(events: list[Event], wrong: set[str]) -> None:
    assert wrong_parts(*events) == wrong


@pytest.mark.parametrize(
    ("said", "is_said"),
    [
        ("The PIN on file is K2222.", True),
        ("(K2222)", True),
        ("Your PIN K1111 is right.", False),  # the task states it
        ("The code is _K2222_.", True),
        ("It is k2222, in small letters.", True),
        ("是K2222。", True),
        ("K\u200b2222", True),  # with a blank that nobody sees
        ("\uff2b2222", True),  # of full width
        ('{"note": "code:\\nK2222"}', True),
        ("Account AK22225 has 7.00.", False),
        ("Nothing to say.", False),
    ],
)
def test_a_secret_is_said(said: str, *, is_said: bool) -> None:
    made = (login(), move())
    wrong = {"secrecy"} if is_said else set()

    assert wrong_parts(*made, Said(said)) == wrong
    assert wrong_parts(*made, answer=said) == wrong


def test_only_texts_are_secrets_that_can_be_said() -> None:
    assert JUDGE.secrets == {"K1111", "K2222"}
