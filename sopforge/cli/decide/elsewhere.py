"""Feedback on what the words of a stage cannot change: where it is changed instead."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from sopforge.cli.output import make_console, print_json, say
from sopforge.errors import Fault, MaterialError
from sopforge.store.places import store_option

if TYPE_CHECKING:
    from sopforge.store.versions import Store, Version

_RULES = "schema"


def choose_place(store: Store, version: Version, feedback: str, at: str, *, is_quiet: bool) -> str:
    """Return the stage at which feedback on a version is heeded: its own, or the schema.

    On a terminal a person is asked where the words seem to belong elsewhere.

    Raises:
        MaterialError: they do, and nobody said where; or such feedback is heeded nowhere.
    """
    stage = version.manifest.stage
    if at not in {"", stage, _RULES}:
        message = f"feedback on the {stage} has no effect at '{at}'"
        hint = f"use --at {stage} or --at {_RULES}, or leave --at out"
        raise MaterialError(Fault("unknown-stage", message, "--at", hint))
    return at or _find_place(store, version, feedback, is_quiet=is_quiet)


def _find_place(store: Store, version: Version, feedback: str, *, is_quiet: bool) -> str:
    from sopforge.gates.remark_places import find_version_aim, has_facts, make_elsewhere_fault

    stage = version.manifest.stage
    aim = find_version_aim(store, version, feedback)
    if aim is None:
        return stage
    fault = make_elsewhere_fault(store, version, aim, feedback)
    is_offered = aim.stage == _RULES and not has_facts(store, version.manifest.domain)
    if not is_offered or is_quiet or not is_at_terminal():
        raise MaterialError(fault)
    say(make_console(stderr=True), str(fault), "yellow")
    if typer.confirm("Change the rules with this feedback?"):
        return _RULES
    if typer.confirm(f"Send it to the author of the {stage} anyway?"):
        return stage
    raise typer.Exit


def is_at_terminal() -> bool:
    """Return whether somebody is there to be asked."""
    return sys.stdin.isatty()


def change_rules(store: Store, domain: str, feedback: str, *, as_json: bool) -> None:
    """Add feedback to the brief, so that the next run changes the rules by it, and say so.

    Raises:
        MaterialError: the rules stand in the brief as facts, which no words change.
    """
    from sopforge.briefs.brief_files import keep_changed
    from sopforge.briefs.regeneration import regenerate_brief
    from sopforge.gates.remark_places import has_facts

    there = store_option(store.place)
    if has_facts(store, domain):
        message = "the rules are in the brief's model, which feedback cannot change"
        hint = f"sopforge regenerate {domain} --model-patch FILE{there}"
        raise MaterialError(Fault("feedback-needs-facts", message, domain, hint))
    keep_changed(store, domain, lambda: regenerate_brief(store, domain, feedback))
    follow = f"sopforge regenerate {domain}{there}"
    if as_json:
        print_json({"domain": domain, "stage": _RULES, "context": feedback, "next": follow})
        return
    text = f"Added the feedback to the brief of {domain}. Change the rules with: {follow}"
    say(make_console(), text)
