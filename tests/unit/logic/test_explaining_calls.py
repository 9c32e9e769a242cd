"""Stories of calls on tables: the node that decided, its values, what became of records."""

from __future__ import annotations

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.explaining import Storyteller
from sopforge.proof.dataset.oracle import label_row
from tests.worlds.counter_rows import GUARDED, NAMED, Row, account, counter, nobody, row

ALTERNATIVES = counter(GUARDED, NAMED)
LARGE = {"amount": 95_000, **account("payer", "A000001", 200_000)}


def explain_case(model: DomainModel, given: Row) -> list[str]:
    return list(Storyteller(model).explain_walk(label_row(model, given)))


def lines_of(tool: str, story: list[str]) -> list[str]:
    """Return the lines below the call of a tool, up to the next step."""
    place = next(n for n, line in enumerate(story) if line.strip().startswith(tool))
    rest = story[place + 1 :]
    end = next(n for n, line in enumerate(rest) if not line.startswith(" "))
    return [line.strip() for line in rest[:end]]


def test_an_action_that_is_carried_out_is_explained_by_its_guard_and_its_effects() -> None:
    lines = lines_of("transferMoney", explain_case(counter(), row()))
    assert lines == [
        "T lets it pass: the customer is logged in (session: yes)",
        (
            "it sets the balance of the paying account from 300.00 to 200.00: "
            "the balance of the paying account minus the amount"
        ),
        (
            "it sets the balance of the receiving account from 50.00 to 150.00: "
            "the balance of the receiving account plus the amount"
        ),
    ]


def test_the_group_that_refuses_is_named_with_all_that_it_compared() -> None:
    given = row(**LARGE, **account("payee", "A000002", 10_000))
    refused, onward = lines_of("transferMoney", explain_case(ALTERNATIVES, given))
    assert refused == (
        "T2 refuses it: the amount is more than 900 EUR (amount: 950.00), and the balance of the "
        "receiving account is at least 100 EUR (balance of the receiving account: 100.00)"
    )
    assert onward.endswith("too_high")


def test_a_check_of_the_tool_s_own_is_explained_by_the_range_that_would_be_left() -> None:
    given = row(**account("payee", "A000002", 495_000))
    refused = lines_of("transferMoney", explain_case(counter(), given))[0]
    assert refused == (
        "its check out_of_range refuses it: the balance of the receiving account plus the amount "
        "is more than 5000 EUR (amount: 100.00; balance of the receiving account: 4950.00)"
    )


def test_of_a_record_that_is_not_there_the_refusal_says_all() -> None:
    story = explain_case(counter(), row(**nobody("payee", "A000009")))
    call = next(line for line in story if "refused" in line)
    assert "there is no record of this receiving account (unknown_record)" in call
    assert [line.split(":")[0] for line in lines_of("getAccount (account: payee)", story)] == [
        "on to Refuse for the account"
    ]


def test_of_an_effect_with_conditions_the_one_that_held_is_named() -> None:
    charged = (
        "source.balance: source.balance - amount,",
        (
            'source.balance: "source.balance - amount - 2.00 if target.balance < 100.00 else '
            'source.balance - amount",'
        ),
    )
    lines = lines_of("transferMoney", explain_case(counter(charged), row()))
    assert lines[1] == (
        "it sets the balance of the paying account from 300.00 to 198.00: the balance of the "
        "paying account minus the amount minus 2 EUR, since the balance of the receiving account "
        "is less than 100 EUR (balance of the receiving account: 50.00)"
    )
    kept = (
        charged[0],
        'source.balance: "source.balance - amount if amount > 100.00 else unchanged",',
    )
    assert lines_of("transferMoney", explain_case(counter(kept), row()))[1] == (
        "it leaves the balance of the paying account at 300.00: since the amount is at most 100 "
        "EUR (amount: 100.00)"
    )
