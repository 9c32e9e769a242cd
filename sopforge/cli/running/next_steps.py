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


def list_gate_steps(
    domain: str, stage: str, content: str, go_on: str, place: str, *, heeds_words: bool
) -> dict[str, str]:
    """Return what can be done where a sound version waits, by what it is for."""
    from sopforge.pipeline.stages.editing.edits import EDITABLE

    named, there = f"{domain} {stage}", store_option(place)
    if heeds_words:
        change = {"request_changes": f"sopforge request-changes {named} --feedback TEXT{there}"}
    elif stage in EDITABLE:
        change = {"edit": f"sopforge edit {named}{there}"}
    else:
        change = {"reject": f"sopforge reject {named} --reason TEXT{there}"}
    return {
        "look": f"sopforge show {named}{there}",
        "approve": f"sopforge approve {named} --digest {content[:12]}{there}",
        **change,
        "go_on": go_on,
    }


def _list_changes(item: Overview, there: str) -> dict[str, str]:
    """Return how the brief that the store keeps is changed."""
    change = "--context TEXT" if item.heeds_words else "--model-patch FILE"
    return {"regenerate": f"sopforge regenerate {item.domain} {change}{there}"}


def list_next_steps(item: Overview, place: str) -> dict[str, str]:
    """Return what leads a domain on, by what it is for."""
    from sopforge.store.overview import Next

    domain, there = item.domain, store_option(place)
    go_on = f"sopforge continue {domain}{there}"
    if item.faults:
        return {"look": f"sopforge store check {domain}{there}"}
    if item.next is Next.DECIDE:
        return list_gate_steps(
            domain, item.stage, item.content, go_on, place, heeds_words=item.heeds_words
        )
    look = {"look": f"sopforge show {domain} {item.stage}{there}"} if item.is_waiting else {}
    anew = {"generate": f"sopforge generate BRIEF{there}"}
    verify = {"verify": f"sopforge verify {domain}@{item.release}{there}"}
    undo = f"sopforge yank {domain} {item.release} --undo{there}"
    following = {
        Next.FIX: {**_list_changes(item, there), **anew},
        Next.EDIT: {"edit": f"sopforge edit {domain} {item.stage}{there}", "go_on": go_on},
        Next.CONTINUE: {"go_on": go_on},
        Next.PUBLISH: {"publish": f"sopforge publish {domain}{there}"},
        Next.REPLACE: {"undo": undo, **_list_changes(item, there), **anew},
        Next.NOTHING: verify,
    }
    return {**look, **following[item.next]}


def list_step_lines(commands: Mapping[str, str]) -> Iterator[str]:
    """Yield each command after what it is for."""
    for name, command in commands.items():
        yield f"  {_LABELS.get(name, name) + ':':<9} {command}"
