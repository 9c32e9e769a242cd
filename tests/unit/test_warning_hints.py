"""Each warning names an edit, and the warning is gone once that edit is made.

What needs more than a text to be raised has its test beside what raises it, as have the audit's and
the linter's warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import pytest

from sopforge.authors.writers.long_briefs import check_brief_length
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.personal_data import check_personal_data
from sopforge.checks.schema.author_remarks import CHECK as AUTHOR_REMARKS
from sopforge.checks.schema.context_limits import CHECK as CONTEXT_LIMITS
from sopforge.checks.schema.look_alike_labels import CHECK as LOOK_ALIKE_LABELS
from sopforge.checks.schema.readable_labels import CHECK as READABLE_LABELS
from sopforge.checks.schema.unused_fields import CHECK as UNUSED_FIELDS
from sopforge.checks.sop.brief_prose import CHECK as BRIEF_PROSE
from sopforge.findings import Finding, Severity
from sopforge.language.domain.reading import read_brief
from sopforge.proof.solving import budgets
from sopforge.proof.solving.examining import inquiry
from sopforge.proof.solving.examining.missing_values import examine_missing
from sopforge.proof.solving.examining.procedure import examine_procedure
from sopforge.proof.solving.examining.tables import examine_tables
from sopforge.workspace import DOMAIN, SOP_TEXT, SOP_TRACE, Workspace
from tests.unit.test_error_codes import codes_in_source
from tests.worlds.quick_builds import REFUND
from tests.worlds.small_models import CLAIMS, ORDERS, WARRANTY, changed

Found: TypeAlias = Iterable[Finding]
Change: TypeAlias = tuple[str, str]
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """How a warning is raised in a text, and the edit that its hint names.

    ``units`` is what the solver may take for each question, where it is to give up soon; what
    needs no solver is decided all the same.
    """

    code: str
    examine: Callable[[str], Found]
    text: str
    edit: tuple[Change, ...]
    hint: str
    units: int = 0


# how a text is examined


def schema(check: Callable[[Workspace], Found]) -> Callable[[str], Found]:
    """Return what examines the domain of a brief."""
    return lambda text: check(_workspace(text))


def _workspace(text: str) -> Workspace:
    brief = read_brief(text, "brief.yaml")
    return Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})


def logic(check: Callable[..., Found]) -> Callable[[str], Found]:
    """Return what examines the model of a brief."""
    return lambda text: check(read_brief(text, "brief.yaml").model)


def sop(text: str) -> Found:
    """Examine the SOP of a brief; what stands after a line of dashes is its draft."""
    text, _, draft = text.partition("\n-----\n")
    workspace = _workspace(text)
    brief = replace(workspace.brief, draft=draft)
    document = OfflineAuthor().write_sop(workspace.model, brief)
    files = {SOP_TEXT: document.as_text(), SOP_TRACE: document.as_trace()}
    return BRIEF_PROSE.examine(Workspace(brief, {**workspace.files, **files}))


def remarks(text: str) -> Found:
    """Examine what an author says of a brief, in the domain document after the brief."""
    text, _, remarked = text.partition("\n-----\n")
    workspace = _workspace(text)
    domain = workspace.files[DOMAIN] + remarked
    return AUTHOR_REMARKS.examine(workspace.with_files({DOMAIN: domain}))


# the texts

FIELD = "        days_since_delivery: {role: observed,"
WEEKS = (
    "        weeks: {role: derived, type: integer, min: 0, max: 180, description: twice the days}\n"
)
POLICY = "  policy:\n"
RULES = """\
      hit: first
      rules:
        - {id: E1, when: days_since_delivery > refund_days and reason != 'Damaged', then: excluded}
        - {id: E2, otherwise: eligible}
"""
WHEN = "days_since_delivery > refund_days and reason != 'Damaged'"
TO_REFUSE = "- {when: eligibility == 'excluded', to: refuse}"
PAID = "{when: order_amount > pay_limit, to: pass_on}"
BACK = "\n          - {{when: order_amount > {}, to: look_up, at_most: 20, then: refuse}}"
REQUIRES = "requires: {id: P, is: eligibility == 'eligible',"
AMOUNT = "order_amount: {role: observed, type: integer, min: 5, max: 900000,"
SURE = "requires: {id: P, is: order_amount >= 5,"
CONTEXT = 'context: ["A clerk may pay the highest amount of 350 USD."]\n'
SAID = "Refunds are quick."
DENIED = "Refunds are slow."
REMARKS = f"""
-----
remarks:
  contradictions:
    - {{first: {SAID}, second: {DENIED}, followed: the first}}
"""
PROSE = ("  Clerks work from", f"  {SAID} {DENIED} Clerks work from")


def table(hit: str, *rules: str) -> Change:
    """Return the change of the rules of the refunds to others."""
    listed = "".join(f"        - {{{rule}}}\n" for rule in rules)
    return RULES, f"      hit: {hit}\n      rules:\n{listed}"


VAIN = RULES.replace(f"{WHEN}, then: excluded", "order_amount > spare, then: eligible")
# No number of days is 950 when it is squared, but that takes a solver some time.
LATE = "id: E1, when: days_since_delivery * days_since_delivery > 950, then: excluded"
NOT_LATE = "id: E2, when: days_since_delivery * days_since_delivery < 950, then: eligible"
NEVER = "id: E3, when: days_since_delivery * days_since_delivery == 950, then: excluded"
MISSING = ("max: 90, unit: days,", "max: 90, unit: days, missing: not delivered, missing_share: 9,")
ASKED = "{when: not well_formed(claim_id), to: send_back}"

LOOP = """\
        edges:
          - {when: reservations < 3, to: read, at_most: 4, then: no_stock}
          - {to: decide}
"""
ROWS = (
    Row(
        "policy-not-used",
        schema(UNUSED_FIELDS.examine),
        changed(REFUND, (POLICY, f"{POLICY}    spare: {{value: 7, meaning: nothing}}\n")),
        (("    spare: {value: 7, meaning: nothing}\n", ""),),
        "or delete it",
    ),
    Row(
        "predicate-not-used",
        schema(UNUSED_FIELDS.examine),
        changed(REFUND, ("  decisions:\n", "  predicates: {spare: {is: 3 > 2}}\n  decisions:\n")),
        (("  predicates: {spare: {is: 3 > 2}}\n", ""),),
        "or delete it",
    ),
    Row(
        "field-not-used",
        schema(UNUSED_FIELDS.examine),
        changed(
            REFUND,
            (FIELD, WEEKS + FIELD),
            ("  decisions:\n", "  decisions:\n    weeks: {value: days_since_delivery * 2}\n"),
        ),
        (
            (WEEKS, ""),
            ("    weeks: {value: days_since_delivery * 2}\n", ""),
        ),
        "or delete it",
    ),
    Row(
        "label-reads-badly",
        schema(READABLE_LABELS.examine),
        changed(CLAIMS, ("label: earlier claims", "label: account of the year")),
        (("label: account of the year", "label: claims of the year"),),
        "write a plural",
    ),
    Row(
        "look-alike-labels",
        schema(LOOK_ALIKE_LABELS.examine),
        changed(REFUND, ("[Damaged, Wrong item, Changed mind]", "[Damaged, Wrong item, damaged]")),
        (("Wrong item, damaged]", "Wrong item, Changed mind]"),),
        "rename one of them at 'reason'",
    ),
    Row(
        "context-contradicts-limit",
        schema(CONTEXT_LIMITS.examine),
        REFUND + CONTEXT,
        (("350 USD", "200 USD"),),
        "correct the number in this sentence",
    ),
    Row(
        "brief-contradicts-itself",
        remarks,
        changed(REFUND, PROSE) + REMARKS,
        ((f" {DENIED} Clerks", " Clerks"), (REMARKS, "\n-----\n")),
        "delete one of the two sentences from the brief",
    ),
    Row(
        "personal-data",
        lambda text: check_personal_data(read_brief(text, "brief.yaml")),
        REFUND + "guidelines: Ask jane.miller@riverbank-insurance.com about it.\n",
        (("jane.miller@riverbank-insurance.com", "name@example.com"),),
        "name@example.com",
    ),
    Row(
        "brief-long",
        lambda text: check_brief_length(read_brief(REFUND, "brief.yaml", text)),
        "A room is tidy. " * 40_000,
        (("A room is tidy. ", ""),),
        "remove from the draft what is not part of the procedure",
    ),
    Row(
        "field-without-influence",
        logic(examine_procedure),
        changed(
            REFUND,
            (WHEN, "order_amount < 50 or order_amount >= 50"),
            ("order_amount > pay_limit", "reason == 'Damaged'"),
        ),
        (("order_amount < 50 or order_amount >= 50", "reason == 'Wrong item'"),),
        "remove 'order_amount' from the rules",
    ),
    Row(
        "loop-bound-never-reached",
        logic(examine_procedure),
        changed(
            ORDERS,
            ("        edges: [{to: decide}]\n", LOOP),
            ("is: not reserved, refusal", "is: reservations <= 3, refusal"),
        ),
        (("at_most: 4", "at_most: 1"),),
        "lower 'at_most' below that",
    ),
    Row(
        "decision-without-influence",
        logic(examine_procedure),
        changed(
            REFUND,
            (TO_REFUSE, "- {when: reason == 'Wrong item', to: refuse}"),
            ("takes: [request_id, eligibility]", "takes: [request_id]"),
            (f"{REQUIRES} refusal: not_eligible, says: the order is excluded}}", ""),
            ("end: {refund_status: paid}", "end: {refund_status: paid, eligibility: eligible}"),
            ("end: {refund_status: passed", "end: {eligibility: eligible, refund_status: passed"),
            ("end: {refund_status: refused", "end: {eligibility: excluded, refund_status: refused"),
        ),
        (
            ("end: {refund_status: paid, eligibility: eligible}", "end: {refund_status: paid}"),
            ("end: {eligibility: eligible, refund_status: passed", "end: {refund_status: passed"),
        ),
        "make an outcome, an edge or a call depend on it",
    ),
    Row(
        "policy-without-influence",
        logic(examine_procedure),
        changed(
            REFUND,
            (POLICY, f"{POLICY}    spare: {{value: 99, meaning: nothing}}\n"),
            (RULES, VAIN),
            (TO_REFUSE, "- {when: reason == 'Damaged', to: refuse}"),
        ),
        (("    spare: {value: 99, meaning: nothing}\n", ""), (VAIN, RULES)),
        "delete 'spare' and the conditions that read it",
    ),
    Row(
        "guard-never-fails",
        logic(examine_procedure),
        changed(REFUND, (REQUIRES, SURE)),
        ((f"      {SURE} refusal: not_eligible, says: the order is excluded}}\n", ""),),
        "drop guard P from 'requires' of 'payRefund'",
    ),
    Row(
        "procedure-undecided",
        logic(examine_procedure),
        changed(REFUND, (TO_REFUSE, TO_REFUSE + "".join(BACK.format(n) for n in (310, 320, 330)))),
        (("at_most: 20", "at_most: 2"),),
        "lower 'at_most' of the back edges",
    ),
    Row(
        "gap-undecided",
        logic(examine_tables),
        changed(REFUND, table("first", LATE, NOT_LATE)),
        ((NOT_LATE, "id: E2, otherwise: eligible"),),
        "a rule that has 'otherwise'",
        units=1,
    ),
    Row(
        "overlap-undecided",
        logic(examine_tables),
        changed(REFUND, table("unique", LATE, NOT_LATE)),
        (("hit: unique", "hit: first"),),
        "write 'hit: first'",
        units=1,
    ),
    Row(
        "disagreement-undecided",
        logic(examine_tables),
        changed(REFUND, table("any", LATE, NOT_LATE)),
        (("hit: any", "hit: first"),),
        "write 'hit: first'",
        units=1,
    ),
    Row(
        "unreachable-rule-undecided",
        logic(examine_tables),
        changed(
            REFUND,
            table(
                "first",
                LATE,
                NEVER,
                "id: E2, otherwise: eligible",
            ),
        ),
        ((f"        - {{{NEVER}}}\n", ""),),
        "or remove the rule",
        units=1,
    ),
    Row(
        "out-of-range-undecided",
        logic(examine_tables),
        changed(
            REFUND,
            (FIELD, WEEKS + FIELD),
            (
                "  decisions:\n",
                "  decisions:\n    weeks: {value: 190 - days_since_delivery * 2}\n",
            ),
        ),
        (("max: 180, description: twice", "max: 190, description: twice"),),
        "widen 'min' and 'max' of 'weeks'",
        units=1,
    ),
    Row(
        "unguarded-missing-undecided",
        logic(examine_missing),
        changed(REFUND, MISSING),
        ((WHEN, f"present(days_since_delivery) and {WHEN}"),),
        "write 'present(days_since_delivery) and ...' before it",
        units=1,
    ),
    Row(
        "malformed-read-undecided",
        logic(examine_missing),
        changed(WARRANTY, (ASKED, "{when: reported_on > '2026-06-01', to: send_back}")),
        (("when: reported_on >", "when: well_formed(reported_on) and reported_on >"),),
        "or ask well_formed(reported_on)",
        units=1,
    ),
    Row(
        "undecided",
        logic(examine_procedure),
        changed(
            REFUND,
            ("min: 0, max: 90, unit: days", "min: 0, max: 900000, unit: days"),
            (
                "order_amount: {role: observed, type: number, places: 2, min: 5.00, max: 400.00,",
                AMOUNT,
            ),
            (PAID, "{when: days_since_delivery * order_amount == 100160063, to: pass_on}"),
        ),
        ((AMOUNT, AMOUNT.replace("900000", "90")),),
        "narrow the ranges (min, max)",
        units=5_000,
    ),
    Row(
        "sop-prose",
        sop,
        changed(REFUND, ("Hand the result to", "Within 17 minutes, hand the result to")),
        (("Within 17 minutes, hand", "Hand"),),
        "write this sentence of the brief without 17",
    ),
    Row(
        "sop-prose",
        sop,
        REFUND + '\n-----\n# Aim\n\nRefunds are quick. All are "paid" at once.\n',
        ((' All are "paid" at once.', ""),),
        'write this sentence of the brief without "paid"',
    ),
    Row(
        "sop-draft-left-out",
        sop,
        REFUND + "\n-----\n# Aim\n\nA refund may be asked for within 45 days after delivery.\n",
        (("45 days", "30 days"),),
        "write the sentence without the number, or with the model's figure",
    ),
    Row(
        "sop-prose-left-out",
        sop,
        REFUND + 'context: ["Late orders must be refused."]\n',
        (("Late orders must be refused.", "The desk moved in May."),),
        "otherwise write it without figures and words that bind",
    ),
    Row(
        "sop-term-unused",
        sop,
        REFUND + "\n-----\n# Definitions\n\nWaybill: the paper on a parcel.\n",
        (("Waybill: the paper on a parcel.\n", ""),),
        "remove the term from the draft",
    ),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.code))
def test_a_warning_is_gone_after_the_edit_that_its_hint_names(
    row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    if row.units:
        monkeypatch.setattr(budgets, "EASY_FINDING", row.units)
        monkeypatch.setattr(inquiry.Inquiry.__init__, "__defaults__", ((), 0))
        monkeypatch.setattr(budgets, "QUESTION", row.units)

    before = [item for item in row.examine(row.text) if item.id == row.code]
    after = [item.id for item in row.examine(changed(row.text, *row.edit))]

    assert before
    assert {item.severity for item in before} == {Severity.WARNING}
    assert any(row.hint in item.hint for item in before), before
    assert row.code not in after


def test_every_other_warning_is_raised_in_some_test() -> None:
    known = (
        codes_in_source(("", "make_warning_finding")).found
        - codes_in_source(("", "no function")).found
    )
    rows = {row.code for row in ROWS}
    # Coverage is examined by what it says of its goals.
    others = known - rows - {"goal-not-met"}
    tests = [path for path in HERE.rglob("test_*.py") if path != Path(__file__)]
    said = "".join(path.read_text(encoding="utf-8") for path in tests)

    assert rows <= known
    assert [code for code in sorted(others) if code not in said] == []
