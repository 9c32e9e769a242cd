"""What docs/how-to/write-a-brief.md says, tried on the brief that ``sopforge new`` writes."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.cli.make.new import render_starter
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import changed

START = render_starter("model", "expense_claims")
FINISH = "finish: {title: Close as paid, end: {claim_status: paid}}"
VERDICT = "values: [in order, excluded], description"
RULES = "    verdict:\n      hit: first"
STATUS = """\
    claim_status:
      hit: first
      rules: [{id: S1, when: amount > limit, then: escalated}, {id: S2, otherwise: paid}]
"""
DECIDE = "decide: [limit, verdict]"
RECEIPT = "        receipt_there: {label"
PAGES = (
    "        pages_missing: {role: observed, type: integer, min: 0, max: 6, unit: pages,"
    " description: pages that are missing}\n"
)
PAY, PAYING = "    payClaim:\n", "      pay:\n        title"
REQUEST = """\
    requestPages:
      kind: action
      description: Ask for the missing pages
      takes: [claim_id]
      returns: [pages_missing]
      effects: {pages_missing: "max(pages_missing - 2, 0)"}
"""
ASK = """\
      ask:
        title: Ask for the missing pages
        call: requestPages
        edges:
          - {when: pages_missing > 0, to: ask, at_most: 1, then: refuse}
          - {to: pay}
"""
EXCLUDED = "          - {when: verdict == 'excluded', to: refuse}\n"
LOOP = [
    (RECEIPT, PAGES + RECEIPT),
    ("receipt_there, budget_left]", "receipt_there, budget_left, pages_missing]"),
    (EXCLUDED, EXCLUDED + "          - {when: pages_missing > 0, to: ask}\n"),
    (PAYING, ASK + PAYING),
]
PIN = """\
        pin_given: {role: input, type: string, pattern: "K[0-9]{5}", description: PIN that is given}
        pin_on_file: {role: secret, type: string, pattern: "K[0-9]{5}", description: PIN on file}
"""
GUARD = """\
takes: [claim_id, category, pin_given]
      requires: {id: F, is: pin_given == pin_on_file, refusal: wrong_pin, says: the PIN is wrong}
"""
GUARDED = [
    (RECEIPT, PIN + RECEIPT),
    (
        "takes: [claim_id, category]\n",
        GUARD,
    ),
    ("end: {claim_status: refused}", "end: {claim_status: refused, verdict: excluded}"),
]
TIED = ("  tools:\n", "  constraints: [pin_given == pin_on_file]\n  tools:\n")
NAMED = ("call: lookUpClaim\n", "call: lookUpClaim\n        refused: {wrong_pin: refuse}\n")
DECIDED = [(RULES, STATUS + RULES), (DECIDE, "decide: [limit, verdict, claim_status]")]
EMPTY = (FINISH, "finish: {title: Close as paid, end: {}}")


def find_codes(*changes: tuple[str, str]) -> list[str]:
    """Return the codes of what ``check`` finds in the starter with changes."""
    try:
        brief = read_brief(changed(START, *changes), "brief.yaml")
    except MaterialError as error:
        return sorted(fault.code for fault in error.faults)
    domain = OfflineAuthor().write_domain(brief)
    return sorted(item.id for item in examine("schema", Workspace(brief, {DOMAIN: domain})))


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        pytest.param(
            [(VERDICT, VERDICT.replace("]", "], missing: order"))],
            ["label-inside-label"],
            id="a missing word inside of a value",
        ),
        pytest.param(
            [(VERDICT, VERDICT.replace("]", "], missing: not excluded"))],
            ["label-inside-label"],
            id="a value inside of a missing word",
        ),
        pytest.param([EMPTY], ["outcome-open"], id="an end that sets nothing, undecided"),
        pytest.param([*DECIDED, EMPTY], [], id="an end that sets nothing, and ends that prevail"),
        pytest.param(DECIDED, ["decision-without-influence"], id="all ends prevail"),
        pytest.param([*LOOP, (PAY, REQUEST + PAY)], [], id="a loop with an effect"),
        pytest.param(
            [*LOOP, (PAY, REQUEST.rpartition("      effects")[0] + PAY)],
            ["edge-never-taken"],
            id="a loop without an effect",
        ),
        pytest.param(
            [*LOOP, (PAY, REQUEST + PAY), ("max: 6, unit: pages", "max: 4, unit: pages")],
            ["loop-bound-never-reached"],
            id="a loop whose bound is never used up",
        ),
        pytest.param([*GUARDED, TIED], [], id="a secret that agrees"),
        pytest.param(
            [*GUARDED, TIED, NAMED], ["edge-never-taken"], id="a step for what is never refused"
        ),
        pytest.param(GUARDED, ["refused-on-path"], id="a secret that may differ"),
        pytest.param([*GUARDED, NAMED], [], id="a step for the wrong secret"),
    ],
)
def test_a_brief_is_read_as_the_page_says(changes: list[tuple[str, str]], codes: list[str]) -> None:
    assert find_codes(*changes) == codes
