"""Calls that can never be carried out, and checks that no call can meet.

What a session holds is followed: a fact is what it begins with, or what an action sets that can
itself be carried out. Records may hold what their fields allow, and parameters may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Constant,
    Expression,
    Missing,
    Not,
    Presence,
    Read,
    collect_all_read_fields,
)
from sopforge.language.domain.guards import Guard, GuardKind, GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.logic.tables import build_equality
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.examining.sure_guards import with_anything
from sopforge.proof.solving.questions import NoRow, find_row
from sopforge.proof.solving.unfolding import FALSE, TRUE, Unfolded


def examine_calls(inquiry: Inquiry, places: Sequence[Unfolded]) -> list[Finding]:
    """Return the tools that always refuse, alternatives that never hold, and actions never done."""
    asking = Calls(inquiry)
    dead = asking.find_dead_tools()
    findings = []
    for tool in inquiry.model.tools.values():
        never = [leaf for leaf in _iterate_leaves(tool.guard) if asking.is_impossible(tool, leaf)]
        if tool.name in dead:
            findings.append(_make_refusing_finding(tool, never))
        else:
            findings += [_make_never_holds_finding(tool, leaf) for leaf in never]
            findings += _find_idle_action(inquiry, tool, places)
    return findings


def _iterate_leaves(guard: Guard | None) -> Iterator[GuardLeaf]:
    """Yield the conditions that a guard asks for; what must not hold is none of them."""
    if isinstance(guard, GuardLeaf):
        yield guard
    elif guard is not None and guard.kind is not GuardKind.NOT:
        for child in guard.children:
            yield from _iterate_leaves(child)


@dataclass(slots=True)
class Calls:
    """Asks whether any call meets the checks of a tool; ``facts`` is what sessions can hold."""

    inquiry: Inquiry
    facts: tuple[Expression, ...] = ()

    def find_dead_tools(self) -> set[str]:
        """Return the tools whose guard holds in no session, whatever records hold."""
        tools = self.inquiry.model.tools.values()
        waiting = {tool.name: tool for tool in tools if tool.guard is not None}
        alive = [tool for tool in tools if tool.guard is None]
        while True:
            self.facts = _limit_facts(self.inquiry.model, alive)
            found = [
                tool
                for tool in waiting.values()
                if not self.is_impossible(tool, *list_guard_checks(tool.guard))
            ]
            if not found:
                return set(waiting)
            for tool in found:
                del waiting[tool.name]
            alive += found

    def is_impossible(self, tool: Tool, *checks: GuardLeaf) -> bool:
        """Return whether no call meets these checks: proved for all that it may be about."""
        model = self.inquiry.model
        wanted = [check.test for check in checks]
        session = {item.name for item in model.session}
        # Most checks are met by a case that is drawn, and then nothing has to be proved.
        is_about_session = session & collect_all_read_fields(wanted)
        if not is_about_session and not self.inquiry.is_impossible(*wanted):
            return False
        free = Substitution({**with_anything(model, tool), **_rename_facts(model)}, TRUE)
        # Constraints bind the records of cases, and a call may be about others.
        unbound = replace(model, constraints=())
        asked = [*map(free.apply_to, wanted), *self.facts]
        return isinstance(find_row(unbound, asked, is_shown=False), NoRow)


def _rename_facts(model: DomainModel) -> dict[str, Replacement]:
    """Return the facts of the session under names of their own."""
    return {
        item.name: Replacement(
            Read(item.type, f"{item.name}'"), Presence(f"{item.name}'") if item.missing else None
        )
        for item in model.session
    }


def _limit_facts(model: DomainModel, alive: Iterable[Tool]) -> tuple[Expression, ...]:
    """Return what holds of the session, if only some tools are ever carried out."""
    limits: list[Expression] = []
    for item in model.session:
        written = [tool.effects[item.name] for tool in alive if item.name in tool.effects]
        if not all(isinstance(value, Constant | Missing) for value in written):
            continue  # what is worked out may be anything
        values = [value for value in written if isinstance(value, Constant)]
        if item.starts is not None:
            values.append(Constant(item.type, item.starts))
        name = f"{item.name}'"
        lacking = [Not(Presence(name))] if item.missing else []
        equal = [build_equality(Read(item.type, name), value) for value in values]
        limits.append(AnyOf((FALSE, *lacking, *equal)))
    return tuple(limits)


def _make_refusing_finding(tool: Tool, never: Sequence[GuardLeaf]) -> Finding:
    which = [f"guard {leaf.id} holds in no call" for leaf in never]
    reason = which[0] if which else "no call meets all of its checks together"
    return make_error_finding(
        "tool-always-refuses",
        f"'{tool.name}' refuses every call: {reason}, for every record and every earlier action",
        where=f"tools.{tool.offered_name}" + (f", guard {never[0].id}" if never else ""),
        hint="correct the condition, or add an action that sets the session fact that it tests",
    )


def _make_never_holds_finding(tool: Tool, leaf: GuardLeaf) -> Finding:
    return make_warning_finding(
        "guard-never-holds",
        f"guard {leaf.id} of '{tool.name}' holds in no call, so no call passes through it",
        where=f"tools.{tool.offered_name}, guard {leaf.id}",
        hint=f"drop guard {leaf.id} from 'requires', or correct its condition",
    )


def _find_idle_action(inquiry: Inquiry, tool: Tool, places: Sequence[Unfolded]) -> list[Finding]:
    """Report an action at an end that each case is refused; elsewhere edges after it say so."""
    called = [place for place in places if place.step.call == tool.name]
    if tool.kind is not ToolKind.ACTION or not called or any(item.step.edges for item in called):
        return []
    passed = AnyOf(tuple(place.passed for place in called))
    reached = AnyOf(tuple(place.reached for place in called))
    if not inquiry.is_impossible(passed) or inquiry.is_impossible(reached):
        return []
    message = f"'{tool.name}' refuses every case that reaches it, so it is never carried out"
    hint = "check the guard, and the conditions of the edges that lead here"
    where = f"procedure.steps.{called[0].step.id}"
    return [make_error_finding("action-never-done", message, where=where, hint=hint)]
