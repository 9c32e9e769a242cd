"""What an SOP says that actions change: the sentences, and that they are read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import read_brief
from sopforge.errors import MaterialError
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import changed

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
SOURCE = "source.balance: source.balance - amount"
CARD = "{role: observed, type: boolean, yes_share: 15, description: whether the account is blocked}"
SEEN = """\
        seen: {label: last visit, role: observed, type: date, min: 2026-01-01, max: 2026-12-31, missing: never, missing_share: 20, description: last visit}
"""  # noqa: E501 - as briefs are written
EXPIRY = ("        owner: {role", f"{SEEN}        owner: {{role")
PAID = "transferMoney refuses with out_of_range if the balance of the paying account"
RECEIVED = "transferMoney refuses with out_of_range if the balance of the receiving account"


def counter(*changes: tuple[str, str]) -> DomainModel:
    return read_brief(changed(COUNTER, *changes), "counter.yaml").model


def lines_of(model: DomainModel) -> tuple[Line, ...]:
    return render_sop(model, "").lines


def faults_in(model: DomainModel, lines: Sequence[Line]) -> list[str]:
    return [f"{finding.id}: {finding.message}" for finding in read_back_findings(model, lines)]


@pytest.mark.parametrize(
    ("written", "others", "said"),
    [
        pytest.param(
            SOURCE,
            [],
            "Each call reduces the balance of the paying account by the amount.",
            id="a difference",
        ),
        pytest.param(
            "source.balance: source.balance - (amount * 2)",
            [],
            "Each call reduces the balance of the paying account by twice the amount.",
            id="a difference that is worked out",
        ),
        pytest.param(
            "source.balance: source.balance - amount - amount",
            [],
            "The call records the balance of the paying account as the balance of the paying"
            " account minus the amount minus the amount.",
            id="two differences, of which the first is no part of the second",
        ),
        pytest.param(
            "source.balance: source.balance - amount if amount > 5 else unchanged",
            [],
            "The call records the balance of the paying account as the balance of the paying"
            " account minus the amount if the amount is more than 5 EUR; otherwise it stays as it"
            " is.",
            id="unchanged otherwise",
        ),
        pytest.param(
            "source.balance: unchanged if amount > 5 else source.balance - amount",
            [],
            "The call leaves the balance of the paying account as it is if the amount is"
            " more than 5 EUR, and otherwise records it as the balance of the paying account minus"
            " the amount.",
            id="unchanged first",
        ),
        pytest.param(
            "{source.blocked: 'yes', " + SOURCE + "}",
            [],
            "The call records that the paying account is blocked.",
            id="a column that is yes",
        ),
        pytest.param(
            "{source.blocked: amount > 5, " + SOURCE + "}",
            [],
            "The call records that the paying account is blocked if the amount is more than 5 EUR,"
            " and otherwise that the paying account is not blocked.",
            id="a column that a condition decides",
        ),
        pytest.param(
            "{source.blocked: source.blocked or amount > 5, " + SOURCE + "}",
            [],
            "The call records that the paying account is blocked if the amount is more than 5 EUR;"
            " otherwise the blocked of the paying account stays as it is.",
            id="a column that may become yes",
        ),
        pytest.param(
            "{source.blocked: source.blocked and amount > 5, " + SOURCE + "}",
            [],
            'The call records the blocked of the paying account as "yes" if the paying account is'
            ' blocked and the amount is more than 5 EUR, otherwise "no".',
            id="a column that may stay yes",
        ),
        pytest.param(
            "{source.seen: \"'2026-03-01' if amount > 5 else unchanged\", " + SOURCE + "}",
            [EXPIRY],
            "The call records the last visit of the paying account as 2026-03-01 if the amount"
            " is more than 5 EUR; otherwise it stays as it is.",
            id="unchanged where there may be no value",
        ),
        pytest.param(
            "{source.seen: \"'2026-03-01'\", " + SOURCE + "}",
            [EXPIRY, ("label: last visit", "label: day known as that of the visit")],
            "The call sets the day known as that of the visit of the paying account on file to"
            " 2026-03-01.",
            id="a label with the word that stands before the value",
        ),
        pytest.param(
            '{source.balance: "min(source.balance + amount, 900)"}',
            [],
            "Each call raises the balance of the paying account by the amount, but not above"
            " 900 EUR.",
            id="a sum that does not pass a limit",
        ),
        pytest.param(
            '{source.balance: "max(source.balance - amount, 0)"}',
            [],
            "Each call reduces the balance of the paying account by up to the amount.",
            id="a difference that ends at zero",
        ),
        pytest.param(
            '{source.balance: "max(source.balance - amount, 5)"}',
            [],
            "Each call reduces the balance of the paying account by the amount, but not below"
            " 5 EUR.",
            id="a difference that ends at another number",
        ),
        pytest.param(
            '{source.balance: "max(min(source.balance + amount, 900), 10)"}',
            [],
            "The call records the balance of the paying account as the balance of the paying"
            " account plus the amount, but at most 900 EUR and at least 10 EUR.",
            id="a sum between two limits",
        ),
        pytest.param(
            SOURCE,
            [("whether the customer is logged in", "state of the session")],
            'From this call on, the session is "yes".',
            id="a session fact by its label",
        ),
        pytest.param(
            SOURCE, [], "From this call on, the customer is logged in.", id="a session fact"
        ),
    ],
)
def test_a_change_is_said_and_read_back(
    written: str, others: list[tuple[str, str]], said: str
) -> None:
    whole = f"effects: {{{SOURCE}, "
    braced = written.startswith("{")
    pairs = [(whole, f"effects: {written[:-1]}, ")] if braced else [(SOURCE, written)]
    model = counter(*pairs, *others)
    lines = lines_of(model)

    assert said in [line.text for line in lines]
    assert faults_in(model, lines) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("by the amount.", "by the small limit."),
        ("reduces the balance", "raises the balance"),
        ("less than 0 EUR", "less than 1 EUR"),
        ("would become more than 5000 EUR", "would become less than 5000 EUR"),
        ("the customer is logged in.", "the customer is not logged in."),
        (f"{RECEIVED} would become more than 5000 EUR.", ""),
    ],
)
def test_another_change_is_found(before: str, after: str) -> None:
    model = counter()
    lines = [replace(line, text=line.text.replace(before, after)) for line in lines_of(model)]
    lines = [line for line in lines if line.text]

    assert faults_in(model, lines)


BY_CONDITION = "source.blocked: amount > 5"
OR_LEFT = "source.blocked: source.blocked or amount > 5"


@pytest.mark.parametrize(
    ("effect", "before", "after"),
    [
        (BY_CONDITION, "is blocked if", "is not blocked if"),
        (BY_CONDITION, "more than 5 EUR, and", "at least 5 EUR, and"),
        (BY_CONDITION, "that the paying account is not", "that the receiving account is not"),
        (BY_CONDITION, "is not blocked.", "is blocked."),
        (OR_LEFT, "is blocked if", "is not blocked if"),
        (OR_LEFT, "more than 5 EUR; otherwise the", "less than 5 EUR; otherwise the"),
        (OR_LEFT, "otherwise the blocked of the paying", "otherwise the balance of the paying"),
        (OR_LEFT, "stays as it is", "becomes what it was"),
    ],
)
def test_another_condition_of_an_answer_is_found(effect: str, before: str, after: str) -> None:
    model = counter((f"effects: {{{SOURCE}, ", f"effects: {{{effect}, {SOURCE}, "))
    lines = [
        replace(line, text=line.text.replace(before, after)) if "The call" in line.text else line
        for line in lines_of(model)
    ]

    assert lines != [*lines_of(model)]
    assert faults_in(model, lines_of(model)) == []
    assert faults_in(model, lines)


@pytest.mark.parametrize(
    "after",
    ["by the amount.", "by up to the small limit.", "by the amount, but not below 5 EUR."],
)
def test_another_end_of_a_difference_is_found(after: str) -> None:
    model = counter((SOURCE, 'source.balance: "max(source.balance - amount, 0)"'))
    before = "by up to the amount."
    lines = [replace(line, text=line.text.replace(before, after)) for line in lines_of(model)]

    assert faults_in(model, lines_of(model)) == []
    assert faults_in(model, lines)


def test_only_limits_that_a_call_can_pass_are_said() -> None:
    texts = [line.text for line in lines_of(counter()) if "would become" in line.text]

    assert texts == [
        f"{PAID} would become less than 0 EUR.",
        f"{RECEIVED} would become more than 5000 EUR.",
    ]


SESSION = "logged_in: {label: session, role: session, type: boolean, starts: no, "
NOTED = 'effects: {logged_in: "yes"}'
ASKED = "is: logged_in, refusal"


@pytest.mark.parametrize(
    ("kind", "effect", "asked", "said"),
    [
        pytest.param(
            "label: number of log-ins, role: session, type: integer, min: 0, max: 9, starts: 0",
            "logged_in + 1",
            "logged_in > 0",
            [
                "Each call raises the number of log-ins by 1.",
                (
                    "openSession refuses with out_of_range if the number of log-ins would become"
                    " more than 9."
                ),
            ],
            id="a number",
        ),
        pytest.param(
            "label: customer of the session, role: session, type: reference, to: customer,"
            " missing: nobody",
            "account.owner",
            "present(logged_in) and logged_in == source.owner",
            ["From this call on, the customer of the session is the owner of the paying account."],
            id="a reference",
        ),
        pytest.param(
            'label: given word, role: session, type: string, pattern: "K[0-9]{4}", missing: gone',
            "pin",
            "present(logged_in) and logged_in == source.code",
            ["From this call on, the given word is the given PIN."],
            id="a text",
        ),
        pytest.param(
            "label: rank of the session, role: session, type: enum, values: [Low, High],"
            " starts: Low",
            "\"'High' if account.balance > 100 else 'Low'\"",
            "logged_in == 'High'",
            [
                (
                    'From this call on, the rank of the session is "High" if the balance of the'
                    ' paying account is more than 100 EUR, otherwise "Low".'
                )
            ],
            id="a label of two",
        ),
    ],
)
def test_facts_of_the_session_are_of_any_type(
    kind: str, effect: str, asked: str, said: list[str]
) -> None:
    model = counter(
        (SESSION, f"logged_in: {{{kind}, "),
        (NOTED, f"effects: {{logged_in: {effect}}}"),
        (ASKED, f'is: "{asked}", refusal'),
    )
    lines = lines_of(model)

    assert set(said) <= {line.text for line in lines}
    assert faults_in(model, lines) == []


HOLDER = """\
        holder: {role: observed, type: string, pattern: "C[0-9]{5}", description: who has it}
"""


def test_the_key_of_a_record_may_be_written_as_a_text() -> None:
    model = counter(
        ("        owner: {role", f"{HOLDER}        owner: {{role"),
        (f"effects: {{{SOURCE}, ", f"effects: {{{SOURCE}, source.holder: target.owner, "),
        ("is: logged_in, refusal", "is: logged_in and source.holder != target.owner, refusal"),
    )
    lines = lines_of(model)

    assert (
        "The call records the holder of the paying account as the owner of the receiving account."
    ) in [line.text for line in lines]
    assert faults_in(model, lines) == []


def test_days_are_before_and_after_a_range() -> None:
    written = "effects: {source.seen: \"add_days('2026-06-01', 300)\", " + SOURCE
    model = counter(("effects: {" + SOURCE, written), EXPIRY)
    lines = lines_of(model)

    assert (
        "transferMoney refuses with out_of_range if the last visit of the paying account would"
        " become after 2026-12-31."
    ) in [line.text for line in lines]
    assert faults_in(model, lines) == []


def test_a_column_says_clauses_of_its_own() -> None:
    said = CARD.replace(
        "description: whether the account is blocked}",
        "description: a block, said: {yes: nobody may use the account, no: the account is free}}",
    )
    model = counter((CARD, said))
    lines = lines_of(model)
    texts = [line.text for line in lines]

    assert any("nobody may use the paying account" in text for text in texts)
    assert faults_in(model, lines) == []


def test_a_clause_of_a_column_names_the_record() -> None:
    said = CARD.replace("}", ", said: {yes: it is blocked, no: the account is free}}")
    with pytest.raises(MaterialError) as caught:
        counter((CARD, said))

    assert [fault.code for fault in caught.value.faults] == ["value-not-allowed"]
    assert "'it is blocked'" in str(caught.value)


@pytest.mark.parametrize(
    "description",
    [
        "whether the account that is old is blocked",
        "whether it is blocked",
        "whether the account is blocked and lost",
        "whether the account is not blocked",
        "block of the account",
    ],
)
def test_a_description_of_another_form_says_nothing(description: str) -> None:
    model = counter((CARD, CARD.replace("whether the account is blocked", description)))

    assert model.fields["payer_blocked"].said is None
    assert faults_in(model, lines_of(model)) == []
