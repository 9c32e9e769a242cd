"""Parts of a procedure: what is built of them, and what is refused."""

from __future__ import annotations

from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults
from tests.worlds.small_models import CALLERS, callers

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


def test_a_part_that_makes_no_sense_is_refused(golden: Golden) -> None:
    faults = list_faults(
        [(VERIFY, SECOND + VERIFY), CALLING],
        [("            do: look_up\n", "            do: verify\n")],
        [("        do: look_up\n", "        do: look_upp\n")],
        [
            (
                "        title: Look at the account\n",
                "        title: Look at the account\n        call: readAccount\n",
            )
        ],
        [
            (
                "refuse: {title: Refuse, end: {result: refused}}",
                "refuse: {title: Refuse, do: look_up, end: {result: refused}}",
            )
        ],
        [("pay: {title: Pay, end: {result: paid}}", "pay: {title: Pay, return: true}")],
        [(READ, READ.replace("return: true", "edges: [{to: find}]"))],
        [(READ, READ.replace("return", "end: {result: paid}, return"))],
        [("known: {", "pay: {")],
        [("title: Look up the account", "title: verify  the customer")],
        [(READ, READ.replace("return: true", "end: {result: paid}"))],
        [("        start: read\n", "        start: find\n")],
        base=CALLERS,
        source="callers.yaml",
    )
    golden(FAULTS / "procedure_parts.txt", faults)
