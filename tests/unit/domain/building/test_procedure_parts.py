"""Parts of a procedure: what is built of them, and what is refused."""

from __future__ import annotations

import pytest

from sopforge.errors import Fault, MaterialError
from tests.worlds.small_models import callers

VERIFY = "      verify:\n        title: Verify the customer\n"
SECOND = """\
      again:
        title: Try again
        start: once_more
        steps:
          once_more: {title: Try once more, do: verify, edges: [{to: tried}]}
          tried: {title: Note it, return: true}
"""
CALLING = (
    "            do: look_up\n            edges:",
    "            do: again\n            edges:",
)
READ = "read: {title: Read the account, call: readAccount, return: true}"


def faults_of(*changes: tuple[str, str]) -> list[Fault]:
    with pytest.raises(MaterialError) as refused:
        callers(*changes)
    return list(refused.value.faults)


def test_steps_know_their_part_what_they_carry_out_and_where_they_return() -> None:
    model = callers()

    assert [(name, part.title, part.start) for name, part in model.parts.items()] == [
        ("verify", "Verify the customer", "ask"),
        ("look_up", "Look up the account", "read"),
    ]
    assert [step.id for step in model.list_steps_doing("verify")] == [
        "verify_large",
        "verify_change",
    ]
    assert [step.id for step in model.list_steps_in("look_up")] == ["read"]
    assert [step.id for step in model.steps.values() if step.is_return] == [
        "known",
        "unknown",
        "read",
    ]
    assert {step.part for step in model.steps.values()} == {"", "verify", "look_up"}


def test_recursion_is_a_fault_that_names_the_cycle_once() -> None:
    (fault,) = faults_of((VERIFY, SECOND + VERIFY), CALLING)

    assert fault.code == "part-recursion"
    assert "again > verify > again" in fault.message
    assert "procedure.parts.again" in fault.where


def test_a_part_that_carries_itself_out_is_recursion() -> None:
    (fault,) = faults_of(("            do: look_up\n", "            do: verify\n"))

    assert (fault.code, "verify > verify" in fault.message) == ("part-recursion", True)


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("        do: look_up\n", "        do: look_upp\n", "unknown-part", "steps.look.do"),
        (
            "        title: Look at the account\n",
            "        title: Look at the account\n        call: readAccount\n",
            "step-shape",
            "steps.look.do",
        ),
        (
            "refuse: {title: Refuse, end: {result: refused}}",
            "refuse: {title: Refuse, do: look_up, end: {result: refused}}",
            "step-shape",
            "steps.refuse.do",
        ),
        (
            "pay: {title: Pay, end: {result: paid}}",
            "pay: {title: Pay, return: true}",
            "step-shape",
            "steps.pay.return",
        ),
        (READ, READ.replace("return: true", "edges: [{to: find}]"), "unknown-step", "edges.0.to"),
        (READ, READ.replace("return", "end: {result: paid}, return"), "step-shape", "steps.read"),
        ("known: {", "pay: {", "duplicate-name", "parts.verify.steps.pay"),
        (
            "title: Look up the account",
            "title: verify  the customer",
            "duplicate-label",
            "parts.look_up.title",
        ),
        (
            READ,
            READ.replace("return: true", "end: {result: paid}"),
            "part-without-return",
            "look_up",
        ),
        ("        start: read\n", "        start: find\n", "unknown-step", "parts.look_up.start"),
    ],
)
def test_a_part_that_makes_no_sense_is_refused(old: str, new: str, code: str, where: str) -> None:
    found = faults_of((old, new))

    assert any(fault.code == code and where in fault.where for fault in found), found
    assert all(fault.where.startswith("callers.yaml:") for fault in found)


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        (
            READ,
            READ.replace("return: true", "edges: [{to: find}]"),
            "the part 'look_up' has no step 'find'; that is a step of the main procedure",
            "lead to a step with 'return: true'; the case then goes on after the 'do'",
        ),
    ],
)
def test_a_step_of_elsewhere_is_named_as_that(old: str, new: str, message: str, hint: str) -> None:
    (fault,) = [item for item in faults_of((old, new)) if item.code == "unknown-step"]

    assert (fault.message, fault.hint) == (message, hint)
