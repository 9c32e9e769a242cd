"""Tables and operations as documents: what is read, and each refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults
from tests.worlds.small_models import changed

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
SAME = "{of: payer, share: 5}"
PAYER = "payer: {label: paying account, role: input, type: reference, to: account, "
TARGET = "target.balance: target.balance + amount"
MOVED = "with: {source: payer, target: payee}"
OWNER = "with: {customer: payer.owner}"
STANDING = "        standing: {role"
HOME = "        home: {role: observed, type: reference, to: account, description: an account}\n"
CAP = """\
        cap: {role: observed, type: number, places: 2, min: 1.00, max: 2000.00, unit: EUR, description: most}
"""  # noqa: E501 - as briefs are written
LIMIT = ("        account_no: {role", f"{CAP}        account_no: {{role")
READ_OWNER = """\
      read_owner: {title: Read who holds the paying account, call: getOwner, with: {customer: payer.owner}, edges: [{to: decide}]}
"""  # noqa: E501 - a line of the brief
REST = "      rest: {title: Work it out, call: workOut, edges: [{to: decide}]}\n"
GET_OWNER = """\
    getOwner:
      kind: lookup
      description: Read a customer
      takes: {customer: customer}
      returns: [customer.standing]
"""


LIMITED = """\
        limit: {role: observed, type: number, places: 2, min: 1.00, max: 2000.00, unit: EUR, description: most}
"""  # noqa: E501 - as briefs are written
ALL_OF_IT = [
    ("target: account, amount: amount}", "target: account, amount: payer.balance}"),
    (MOVED, "with: {source: payer, target: payee, amount: payer.balance}"),
]
NOTE_STEP = """\
      note: {title: Note it, call: noteUse, with: {account: payer}, edges: [{to: move}]}
      move:
"""
NOTE = [("- {to: move}", "- {to: note}"), ("      move:\n", NOTE_STEP)]
NOTE_USE = """\
    noteUse: {kind: action, description: Note it, takes: {account: account}, effects: {account.balance: account.balance - 1}}
    transferMoney:
"""  # noqa: E501 - as briefs are written
NOTING = ("    transferMoney:\n", NOTE_USE)
RETURNED = ("account.balance - 1}}", "account.balance - 1}, returns: [account.balance]}")


def counter(*changes: tuple[str, str]) -> DomainModel:
    return read_brief(changed(COUNTER, *changes), "counter.yaml").model


def test_a_fault_is_found_where_it_is(golden: Golden) -> None:
    faults = list_faults(
        [(PAYER, PAYER.replace("to: account", "to: acount"))],
        [(PAYER, PAYER.replace("to: account", "to: request"))],
        [(SAME, "{of: paier, share: 5}")],
        [(SAME, "{of: payee, share: 5}")],
        [(SAME, "{of: amount, share: 5}")],
        [(SAME, "{of: payer.owner, share: 5}")],
        [(PAYER, f"{PAYER}same_as: {{of: payee, share: 5}}, ")],
        [("to: customer, description", "to: customer, same_as: {of: payer}, description")],
        [("amount: {role: input,", "payer_balance: {role: input,")],
        [("starts: no, ", "")],
        [("amount: {role: input,", "amount: {role: input, starts: 3.00,")],
        [("when: amount > payer.balance", "when: logged_in")],
        [("call: getOwner, with: {customer: payer.owner}, ", "")],
        [(OWNER, "with: {customer: payer.owner, person: payer}")],
        [(OWNER, "with: {customer: payer}")],
        [(MOVED, MOVED.replace("}", ", amount: payer.balance}"))],
        [(MOVED, "with: {source: payer, target: payer}")],
        [
            LIMIT,
            (MOVED, "with: {source: payer, target: payee, amount: payer.cap}"),
            (
                TARGET,
                "target.balance: target.balance + amount if source.cap > 5 else unchanged",
            ),
        ],
        [
            (STANDING, HOME + STANDING),
            ("[customer.standing]", "[customer.standing, customer.home.balance]"),
        ],
        [
            (STANDING, HOME + STANDING),
            (
                GET_OWNER,
                "    blockHome:\n      kind: action\n      description: Block an account\n"
                "      takes: {person: customer}\n"
                "      effects: {person.home.balance: person.home.balance - 1}\n" + GET_OWNER,
            ),
            (
                READ_OWNER,
                READ_OWNER
                + "      block: {title: Block it, call: blockHome, with: {person: payer.owner},"
                " edges: [{to: decide}]}\n",
            ),
        ],
        [("takes: {customer: customer}", "takes: {customer: custmer}")],
        [
            ("takes: {customer: customer}", "takes: {account_owner: customer}"),
            (OWNER, "with: {account_owner: payer.owner}"),
            ("[customer.standing]", "[account_owner.standing]"),
        ],
        [(TARGET, "target.owner: source.owner")],
        [(TARGET, "target.account_no: source.account_no")],
        [(TARGET, "amount: amount")],
        [('{logged_in: "yes"}', "{logged_in: pin == account.code}")],
        [("refusal: no_session", "refusal: same_record")],
        [(OWNER, "with: {customer: payer.oner}")],
        [(OWNER, "with: {customer: payer.ownr}"), ("payer.blocked or", "payer.blockd or")],
        [
            (STANDING, f"{LIMITED}{STANDING}"),
            ("returns: [customer.standing]", "returns: [customer.standing, customer.limit]"),
            (MOVED, "with: {source: payer, target: payee, amount: payer.owner.limit}"),
            ("is: logged_in,", "is: logged_in and source.owner.limit > 5,"),
        ],
        [*ALL_OF_IT, *NOTE, NOTING],
        base=COUNTER,
        source="counter.yaml",
    )
    golden(FAULTS / "records_and_operations.txt", faults)


def test_a_reference_can_equal_one_inside_a_record_above_it() -> None:
    holder = (
        "holder: {role: input, type: reference, to: customer, same_as: {of: payer.owner, share: 9},"
        " description: who asks}\n        pin: {label"
    )
    model = counter(("pin: {label", holder), (OWNER, "with: {customer: holder}"))

    assert model.entities["holder_record"].same_as == ("payer_owner", 9)


def test_tables_that_refer_to_each_other_end_where_a_path_would_come_back() -> None:
    model = counter((STANDING, HOME + STANDING))

    assert "payer_owner_home" in model.fields
    assert [entity.name for entity in model.references] == [
        "payer_record",
        "payer_owner_record",
        "payee_record",
        "payee_owner_record",
    ]


def test_a_result_has_the_name_that_the_tool_gives_it() -> None:
    """Also where a parameter is handed the very field that is returned."""
    model = counter(
        ("takes: {customer: customer}", "takes: {customer: customer, account: account}"),
        ("[customer.standing]", "[customer.standing, account.owner]"),
        (OWNER, "with: {customer: payer.owner, account: payer}"),
    )

    assert model.tools["getOwner"].parameters == {"customer": "payer_owner", "account": "payer"}
    assert model.tools["getOwner"].results == {
        "payer_owner_standing": "customer_standing",
        "payer_owner": "account_owner",
    }


def test_tools_know_no_table_of_which_the_domain_has_no_records() -> None:
    """Nobody reads who holds an account, so that no customers are published."""
    model = counter(
        (READ_OWNER, ""),
        ("edges: [{to: read_owner}]", "edges: [{to: decide}]"),
        ("amount > small_limit and payer.owner.standing == 'Watched'", "amount > small_limit"),
        (GET_OWNER, ""),
    )

    assert {entity.table for entity in model.references} == {"account"}
    assert {entity.table for entity in model.offered.references} == {"account"}


def test_a_tool_works_out_of_what_a_record_holds() -> None:
    model = counter(
        (
            "        verdict: {",
            (
                "        remains: {role: derived, type: number, places: 2, min: -2000.00,"
                " max: 5000.00, description: what is left}\n        verdict: {"
            ),
        ),
        ("  decisions:\n", "  decisions:\n    remains: {value: payer.balance - amount}\n"),
        (
            "    transferMoney:\n",
            (
                "    workOut: {kind: compute, description: Work out what is left,"
                " takes: [amount, payer.balance], returns: [remains]}\n    transferMoney:\n"
            ),
        ),
        (READ_OWNER, READ_OWNER.replace("decide}", "rest}") + REST),
    )
    tool = model.tools["workOut"]

    assert tool.takes == ("amount", "payer_balance")
    assert model.describe_arguments(tool) == (
        "amount",
        "payer_balance: the balance of the paying account",
    )
    assert [item.name for item in model.offered.list_tool_parameters(tool)] == list(tool.takes)


@pytest.mark.parametrize(
    ("label", "named"),
    [
        pytest.param("account balance", "balance of the paying account", id="with the noun"),
        pytest.param("paying account rank", "rank of the paying account", id="with both words"),
        pytest.param("paying account", "paying account on file", id="the very same"),
        pytest.param("account", "account of the paying account", id="the noun alone"),
        pytest.param("accounts", "accounts of the paying account", id="another form"),
        pytest.param("account in use", "account in use of the paying account", id="no noun left"),
        pytest.param("account sent", "account sent of the paying account", id="a participle left"),
        pytest.param("account owner", "account owner of the paying account", id="another column"),
    ],
)
def test_the_noun_of_a_record_is_said_once_with_each_of_its_columns(label: str, named: str) -> None:
    model = counter(("balance: {role", f"balance: {{label: {label}, role"))

    assert model.fields["payer_balance"].label == named


def test_a_value_that_the_case_has_just_read_may_be_handed_over() -> None:
    tool = counter(*ALL_OF_IT).tools["transferMoney"]

    assert tool.parameters == {"source": "payer", "target": "payee", "amount": "payer_balance"}


def test_a_value_that_the_action_returned_as_it_left_it_may_be_handed_over() -> None:
    model = counter(*ALL_OF_IT, *NOTE, (NOTING[0], NOTE_USE.replace(*RETURNED)))

    assert model.tools["transferMoney"].takes == ("payer", "payee", "payer_balance")
