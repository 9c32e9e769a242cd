"""Scripts, made on the grader's side: pure functions of a task, the model, the manners and seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.choosing import (
    Turn,
    find_claim,
    find_demands,
    find_needed,
    find_turn,
    list_open_entries,
)
from sopforge.harness.users.manners import Asked, Manner, Mode
from sopforge.harness.users.rehearsing import Rehearsal
from sopforge.harness.users.scripts import Script
from sopforge.seeds import draw_below


@dataclass(frozen=True, slots=True)
class _Parts:
    """What manners add to a script."""

    turn: Turn | None = None
    claims: tuple[Act, ...] = ()
    demands: tuple[Act, ...] = ()


def make_script(rehearsal: Rehearsal, asked: Asked, task: str) -> Script:
    """Return the script of a user at a task, with the first of the manners that it can have."""
    scripts = [_make(rehearsal, asked, task, asked.list_candidates(task)[0])]
    for manners in asked.list_candidates(task)[1:]:
        if not scripts[-1].lacking:
            break
        scripts.append(_make(rehearsal, asked, task, manners))
    return scripts[-1]


def _make(rehearsal: Rehearsal, asked: Asked, task: str, manners: tuple[Manner, ...]) -> Script:
    parts = _find_parts(rehearsal, asked, task, manners)
    lacking = tuple(item for item in manners if _is_lacking(item, parts))
    had = tuple(item for item in manners if item not in lacking) or (Manner.PLAIN,)
    if asked.mode is Mode.ONE_MESSAGE:
        return _make_one_message(rehearsal, task, parts, had, lacking)
    return _make_turns(rehearsal, asked, task, parts, (had, lacking))


def _find_parts(
    rehearsal: Rehearsal, asked: Asked, task: str, manners: tuple[Manner, ...]
) -> _Parts:
    seed, has_turns = asked.seed, asked.mode is Mode.TURN_BY_TURN
    turn = claim = None
    if Manner.CHANGES in manners:
        turn = find_turn(rehearsal, task, seed, has_turns=has_turns)
    if Manner.CLAIMS in manners:
        claim = find_claim(rehearsal, task, seed)
    demands = find_demands(rehearsal, task, seed) if Manner.DEMANDS in manners else ()
    return _Parts(turn, (claim,) if claim else (), demands)


def _is_lacking(manner: Manner, parts: _Parts) -> bool:
    match manner:
        case Manner.CHANGES:
            return parts.turn is None
        case Manner.CLAIMS:
            return not parts.claims
        case Manner.DEMANDS:
            return not parts.demands
        case Manner.PLAIN | Manner.INSISTS:
            return False


def _make_one_message(
    rehearsal: Rehearsal,
    task: str,
    parts: _Parts,
    manners: tuple[Manner, ...],
    lacking: tuple[Manner, ...],
) -> Script:
    """Return the script of a user who says everything first."""
    entries = dict(rehearsal.tasks[task].inputs)
    changed = (parts.turn.change,) if parts.turn else ()
    insisting = (Act(ActKind.INSIST),) if Manner.INSISTS in manners else ()
    stated = _iterate_stated(list(entries), entries, changed)
    opening = (
        Act(ActKind.REQUEST), *stated, *parts.claims, *changed, *parts.demands, *insisting
    )  # fmt: skip
    return Script(task, Mode.ONE_MESSAGE, manners, opening, entries, lacking=lacking)


def _make_turns(
    rehearsal: Rehearsal,
    asked: Asked,
    task: str,
    parts: _Parts,
    manners: tuple[tuple[Manner, ...], tuple[Manner, ...]],
) -> Script:
    """Return the script of a user who keeps entries back until they are asked for."""
    entries = dict(rehearsal.tasks[task].inputs)
    changed = (parts.turn.change,) if parts.turn else ()
    late = (*changed, *parts.demands)
    turning = parts.turn.turning if parts.turn else ""
    if late and not turning:
        turning = find_needed(rehearsal, task, entries, asked.seed) or ""
    withheld = _draw_withheld(rehearsal, asked, task, changed, turning)
    named = [name for name in entries if name not in withheld]
    opening = (
        Act(ActKind.REQUEST),
        *_iterate_stated(named, entries, changed),
        *parts.claims,
        *(() if turning else late),
    )
    had, lacking = manners
    said = late if turning else ()
    return Script(task, Mode.TURN_BY_TURN, had, opening, entries, turning, said, lacking)


def _draw_withheld(
    rehearsal: Rehearsal, asked: Asked, task: str, changed: tuple[Act, ...], turning: str
) -> set[str]:
    """Return the entries that are kept back: some of those beside the key, one at least."""
    names = list_open_entries(rehearsal, task, asked.seed)
    drawn = 1 + draw_below(len(names), asked.seed, "withheld", task) if names else 0
    count = asked.kept_back or drawn
    # What is to be changed was said before, and what it is changed with was not.
    return {*names[:count], turning} - {act.about for act in changed} - {""}


def _iterate_stated(
    names: list[str], entries: dict[str, str], changed: tuple[Act, ...]
) -> Iterator[Act]:
    """Yield what is stated unasked, of a changed entry the first value."""
    first = {act.about: act.before for act in changed}
    for name in names:
        yield Act(ActKind.STATE, name, first.get(name, entries[name]))
