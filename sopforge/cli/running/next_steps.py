"""The commands that lead a domain on from where it stands, as they are printed and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sopforge.cli.options import store_option

if TYPE_CHECKING:
    from sopforge.store.overview import Overview

_LABELS = {
    "request_changes": "or",
    "edit": "or",
    "reject": "or",
    "go_on": "continue",
    "regenerate": "change",
}


def _list_gate_steps(item: Overview, there: str) -> dict[str, str]:
    """Return what can be done where a sound version waits, by what it is for."""
    from sopforge.pipeline.stages.editing.edits import EDITABLE

    named = f"{item.domain} {item.stage}"
    if item.heeds_words:
        change = {"request_changes": f"sopforge request-changes {named} --feedback TEXT{there}"}
    elif item.stage in EDITABLE:
        change = {"edit": f"sopforge edit {named}{there}"}
    else:
        change = {"reject": f"sopforge reject {named} --reason TEXT{there}"}
    return {"approve": f"sopforge approve {named} --digest {item.content[:12]}{there}", **change}


def _list_changes(item: Overview, there: str) -> dict[str, str]:
    """Return how the brief that the store keeps is changed."""
    change = "--context TEXT" if item.heeds_words else "--model-patch FILE"
    return {"regenerate": f"sopforge regenerate {item.domain} {change}{there}"}


def list_next_steps(item: Overview, place: str, again: str = "") -> dict[str, str]:
    """Return what leads a domain on, by what it is for.

    At the end of a run it is made ``again`` to go on, also where something is to be fixed.
    """
    from sopforge.store.overview import Next

    domain, there = item.domain, store_option(place)
    go_on = {"go_on": f"{again or f'sopforge continue {domain}'}{there}"}
    if item.faults:
        return {"look": f"sopforge store check {domain}{there}"}
    look = {"look": f"sopforge show {domain} {item.stage}{there}"} if item.is_waiting else {}
    gate = _list_gate_steps(item, there) if item.next is Next.DECIDE else {}
    anew = {"generate": f"sopforge generate BRIEF{there}"}
    verify = {"verify": f"sopforge verify {domain}@{item.release}{there}"}
    undo = f"sopforge yank {domain} {item.release} --undo{there}"
    following = {
        Next.DECIDE: {**gate, **go_on},
        Next.FIX: go_on if again else {**_list_changes(item, there), **anew},
        Next.EDIT: {"edit": f"sopforge edit {domain} {item.stage}{there}", **go_on},
        Next.CONTINUE: go_on,
        Next.PUBLISH: {"publish": f"sopforge publish {domain}{there}"},
        Next.REPLACE: {"undo": undo, **_list_changes(item, there), **anew},
        Next.NOTHING: verify,
    }
    return {**look, **following[item.next]}


def list_step_lines(commands: Mapping[str, str]) -> Iterator[str]:
    """Yield each command after what it is for."""
    for name, command in commands.items():
        yield f"  {_LABELS.get(name, name) + ':':<9} {command}"
