"""Guards that can never fail: a tool's check that holds whatever it is called with.

A guard that the procedure respects never fails on its path, and is good. One that holds on every
record, with any parameters, refuses nothing at all.
"""

from __future__ import annotations

from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import Expression, Not, Presence, Read
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.questions import find_changeable_fields
from sopforge.proof.solving.unfolding import TRUE


def examine_guards(inquiry: Inquiry) -> list[Finding]:
    """Warn of guards that refuse no call, on whatever record and with whatever parameters."""
    model = inquiry.model
    # Operations are asked about as they are offered: an agent may hand over any two records,
    # whichever the procedure does.
    asked = inquiry if model.operations is None else Inquiry(model.operations)
    return [
        finding for tool in asked.model.tools.values() for finding in _check_guards(asked, tool)
    ]


def _check_guards(inquiry: Inquiry, tool: Tool) -> list[Finding]:
    model = inquiry.model
    anything = Substitution(with_anything(model, tool), TRUE)
    findings, earlier = [], list[tuple[GuardLeaf, Expression]]()
    for check in list_guard_checks(tool.guard):
        test = anything.apply_to(check.test)
        if inquiry.is_impossible(Not(test), *(held for _, held in earlier)):
            findings.append(_make_never_fails_finding(inquiry, tool, check, test, earlier))
        earlier.append((check, test))
    return findings


def with_anything(model: DomainModel, tool: Tool) -> dict[str, Replacement]:
    """Return what a tool may see that no constraint ties: parameters, and what actions change."""
    free = {*tool.takes, *find_changeable_fields(model)} & {*model.fields}
    found = {}
    for name in free:
        item = model.fields[name]
        is_optional = bool(item.missing) and name not in tool.takes
        there = Presence(f"{name}'") if is_optional else None
        # Another name than the record's: constraints bind what is drawn, not what a caller gives.
        found[name] = Replacement(Read(item.type, f"{name}'"), there)
    return found


def _make_never_fails_finding(
    inquiry: Inquiry,
    tool: Tool,
    check: GuardLeaf,
    test: Expression,
    earlier: list[tuple[GuardLeaf, Expression]],
) -> Finding:
    """Return the warning, which names the earlier guard that takes all cases, if one does."""
    name, code = f"guard {check.id} of '{tool.name}'", check.refusal
    reason = "it holds on every record and with all parameters"
    hint = f"drop guard {check.id} from 'requires' of '{tool.name}', or correct its condition"
    if not inquiry.is_impossible(Not(test)):
        taken = [other.id for other, held in earlier if inquiry.is_impossible(Not(test), held)]
        before = f"guard {taken[0]}" if taken else "the guards"
        reason = f"{before} before it refuse{'s' * bool(taken)} the same cases"
    where = f"tools.{tool.offered_name}, guard {check.id}"
    message = f"{name} never refuses with {code}: {reason}"
    return make_warning_finding("guard-never-fails", message, where=where, hint=hint)
