"""Tables and operations as documents: what is read, and each refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
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


def counter(*changes: tuple[str, str]) -> DomainModel:
    return read_brief(changed(COUNTER, *changes), "counter.yaml").model


def faults_of(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    with pytest.raises(MaterialError) as caught:
        counter(*changes)
    return [(fault.code, fault.where.partition("model.")[2]) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        pytest.param(
            [(PAYER, PAYER.replace("to: account", "to: acount"))],
            "unknown-table",
            "entities.request.fields.payer",
            id="a table that there is not",
        ),
        pytest.param(
            [(PAYER, PAYER.replace("to: account", "to: request"))],
            "unknown-table",
            "entities.request.fields.payer",
            id="the case is no table",
        ),
        pytest.param(
            [(SAME, "{of: paier, share: 5}")],
            "unknown-reference",
            "entities.request.fields.payee.same_as",
            id="the same as what there is not",
        ),
        pytest.param(
            [(SAME, "{of: payee, share: 5}")],
            "unknown-reference",
            "entities.request.fields.payee.same_as",
            id="the same as itself",
        ),
        pytest.param(
            [(SAME, "{of: amount, share: 5}")],
            "unknown-reference",
            "entities.request.fields.payee.same_as",
            id="the same as a number",
        ),
        pytest.param(
            [(SAME, "{of: payer.owner, share: 5}")],
            "unknown-reference",
            "entities.request.fields.payee.same_as",
            id="the same as a reference to another table",
        ),
        pytest.param(
            [(PAYER, f"{PAYER}same_as: {{of: payee, share: 5}}, ")],
            "unknown-reference",
            "entities.request.fields.payer.same_as",
            id="the same as a reference below",
        ),
        pytest.param(
            [("to: customer, description", "to: customer, same_as: {of: payer}, description")],
            "unknown-reference",
            "entities.account.fields.owner.same_as",
            id="the same as, in a table",
        ),
        pytest.param(
            [("amount: {role: input,", "payer_balance: {role: input,")],
            "duplicate-name",
            "entities.request.fields.payer_balance",
            id="a field that is called as a path is inside",
        ),
        pytest.param(
            [("starts: no, ", "")],
            "value-not-allowed",
            "entities.request.fields.logged_in",
            id="a session fact that begins with nothing",
        ),
        pytest.param(
            [("amount: {role: input,", "amount: {role: input, starts: 3.00,")],
            "value-not-allowed",
            "entities.request.fields.amount",
            id="a beginning of what is no session fact",
        ),
        pytest.param(
            [("when: amount > payer.balance", "when: logged_in")],
            "unknown-field",
            "decisions.reason.rules.3.when",
            id="a rule that reads the session",
        ),
        pytest.param(
            [("call: getOwner, with: {customer: payer.owner}, ", "")],
            "tool-not-called",
            "tools.getOwner",
            id="a tool that no step calls",
        ),
        pytest.param(
            [(OWNER, "with: {customer: payer.owner, person: payer}")],
            "unknown-parameter",
            "procedure.steps.read_owner.with",
            id="a parameter that there is not",
        ),
        pytest.param(
            [(OWNER, "with: {customer: payer}")],
            "argument-differs",
            "procedure.steps.read_owner.with.customer",
            id="a reference to another table",
        ),
        pytest.param(
            [(MOVED, MOVED.replace("}", ", amount: payer.balance}"))],
            "argument-differs",
            "procedure.steps.move.with.amount",
            id="values of another range",
        ),
        pytest.param(
            [(MOVED, "with: {source: payer, target: payer}")],
            "argument-differs",
            "procedure.steps.move.call",
            id="one reference for two records that are changed",
        ),
        pytest.param(
            [
                LIMIT,
                (MOVED, "with: {source: payer, target: payee, amount: payer.cap}"),
                (
                    TARGET,
                    "target.balance: target.balance + amount if source.cap > 5 else unchanged",
                ),
            ],
            "argument-differs",
            "procedure.steps.move.call",
            id="a value that the tool reads itself",
        ),
        pytest.param(
            [
                (STANDING, HOME + STANDING),
                ("[customer.standing]", "[customer.standing, customer.home.balance]"),
            ],
            "argument-differs",
            "procedure.steps.read_owner.call",
            id="a circle of tables that a tool goes round",
        ),
        pytest.param(
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
            "argument-differs",
            "procedure.steps.block.call",
            id="an effect on a record that is too far from the case",
        ),
        pytest.param(
            [("takes: {customer: customer}", "takes: {customer: custmer}")],
            "unknown-field",
            "tools.getOwner.takes",
            id="a parameter of nothing",
        ),
        pytest.param(
            [
                ("takes: {customer: customer}", "takes: {account_owner: customer}"),
                (OWNER, "with: {account_owner: payer.owner}"),
                ("[customer.standing]", "[account_owner.standing]"),
            ],
            "duplicate-name",
            "tools.getOwner.takes",
            id="a parameter that is called as a path is inside",
        ),
        pytest.param(
            [(TARGET, "target.owner: source.owner")],
            "effects-not-allowed",
            "tools.transferMoney.effects.target_owner",
            id="an effect on a reference",
        ),
        pytest.param(
            [(TARGET, "target.account_no: source.account_no")],
            "effects-not-allowed",
            "tools.transferMoney.effects.target",
            id="an effect on a key",
        ),
        pytest.param(
            [(TARGET, "amount: amount")],
            "effects-not-allowed",
            "tools.transferMoney.effects.amount",
            id="an effect on a parameter",
        ),
        pytest.param(
            [('{logged_in: "yes"}', "{logged_in: pin == account.code}")],
            "effects-not-allowed",
            "tools.openSession.effects.logged_in",
            id="an effect that shows a secret",
        ),
        pytest.param(
            [("refusal: no_session", "refusal: same_record")],
            "name-reserved",
            "tools.transferMoney.requires.refusal",
            id="a code that tools give by themselves",
        ),
    ],
)
def test_a_fault_is_found_where_it_is(
    changes: list[tuple[str, str]], code: str, where: str
) -> None:
    assert (code, where) in faults_of(*changes)


def test_a_call_that_cannot_be_bound_is_the_only_fault() -> None:
    assert faults_of((OWNER, "with: {customer: payer.oner}")) == [
        ("unknown-field", "procedure.steps.read_owner.with.customer")
    ]


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


def test_a_value_that_the_case_has_just_read_may_be_handed_over() -> None:
    tool = counter(*ALL_OF_IT).tools["transferMoney"]

    assert tool.parameters == {"source": "payer", "target": "payee", "amount": "payer_balance"}


def test_a_value_that_an_action_has_changed_since_may_not_be_handed_over() -> None:
    faults = faults_of(*ALL_OF_IT, *NOTE, NOTING)

    assert faults == [("argument-differs", "procedure.steps.move.call")]


def test_a_value_that_the_action_returned_as_it_left_it_may_be_handed_over() -> None:
    model = counter(*ALL_OF_IT, *NOTE, (NOTING[0], NOTE_USE.replace(*RETURNED)))

    assert model.tools["transferMoney"].takes == ("payer", "payee", "payer_balance")


def test_a_value_of_a_record_that_another_leads_to_is_not_read_twice() -> None:
    limit = "limit: {role: observed, type: number, places: 2, min: 1.00, max: 2000.00, unit: EUR, "
    faults = faults_of(
        (STANDING, f"        {limit}description: most}}\n{STANDING}"),
        ("returns: [customer.standing]", "returns: [customer.standing, customer.limit]"),
        (MOVED, "with: {source: payer, target: payee, amount: payer.owner.limit}"),
        ("is: logged_in,", "is: logged_in and source.owner.limit > 5,"),
    )

    assert faults == [("argument-differs", "procedure.steps.move.call")]


def test_hints_name_fields_as_briefs_do() -> None:
    with pytest.raises(MaterialError) as caught:
        counter((OWNER, "with: {customer: payer.ownr}"), ("payer.blocked or", "payer.blockd or"))

    said = str(caught.value)
    assert "payer.owner" in said
    assert "payer.blocked" in said
    assert "payer_" not in said
