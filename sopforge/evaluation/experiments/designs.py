"""Designs: which conditions of a package an experiment compares, and what each puts in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import get_args

from sopforge.artifacts.complexity.levels import OPERATORS
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import HarderLevel, Level, suggest

LEVELS, TOOLS, DOSES, FACTORIAL = "levels", "tools", "doses", "factorial"
TOOL_OPERATOR = "general_tools"
LENGTHENING = ("tangents", "redundant_detail")
"""They add text alone: neither a limit to look up nor a rule that could be taken for one."""
BRANCHING = ("more_branches", "more_steps")
USUAL_DOSES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {TOOLS: (0, 5, 10, 20), DOSES: (0, 1, 2, 4, 8), FACTORIAL: (0, 32)}
)
USUAL_BRANCHES = (0, 3)
LARGEST_DOSE, MOST_BRANCHES = 64, 8
_PLAIN_LEVELS: tuple[Level, ...] = ("L0", *get_args(HarderLevel))
_LEVELS: Mapping[str, Level] = MappingProxyType({item.name: item.level for item in OPERATORS})
_PLAIN: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Condition:
    """One package of an experiment: the plain one with doses, or as its brief asks at a level.

    ``doses`` is None for what the brief asks for. ``branches`` many branches are put into the model
    first: the tasks are then others, and have answers of their own.
    """

    name: str
    level: Level
    doses: Mapping[str, int] | None = field(default_factory=lambda: _PLAIN, hash=False)
    branches: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether nothing is put into the SOP, the tools or the records."""
        return self.level == "L0"


@dataclass(frozen=True, slots=True)
class Design:
    """The conditions of an experiment; each is compared with the first of the same model.

    ``doses`` are those of its operators, in their order; of a factorial, those of text, which are
    crossed with ``branches`` of the operator ``branching``.
    """

    name: str
    conditions: tuple[Condition, ...]
    doses: tuple[int, ...] = ()
    branches: tuple[int, ...] = (0,)
    branching: str = BRANCHING[0]

    def find_reference(self, condition: Condition) -> Condition:
        """Return the first condition that has the model of this one."""
        return next(item for item in self.conditions if item.branches == condition.branches)


def read_design(
    named: str, doses: str | None = None, branches: str | None = None, branching: str = BRANCHING[0]
) -> Design:
    """Return the design that is named: ``levels``, ``tools``, ``doses:OPERATOR`` or ``factorial``.

    Raises:
        MaterialError: there is no such design or operator, or doses or branches are none.
    """
    kind, _, operator = named.partition(":")
    _refuse_unknown(named, kind, operator)
    if branches is not None and kind != FACTORIAL:
        raise MaterialError(_make_pointless_fault("branches", named, "or use the design factorial"))
    if kind == LEVELS:
        if doses is not None:
            raise MaterialError(_make_pointless_fault("doses", named, "or use another design"))
        return Design(named, tuple(Condition(level, level, None) for level in _PLAIN_LEVELS))
    found = _parse_counts("doses", doses, USUAL_DOSES[kind], LARGEST_DOSE)
    if kind == FACTORIAL:
        many = _parse_counts("branches", branches, USUAL_BRANCHES, MOST_BRANCHES)
        return _make_crossed(found, many, branching)
    operator = operator or TOOL_OPERATOR
    conditions = tuple(_make_dosed(f"{operator}-{dose}", [operator], dose) for dose in found)
    return Design(named, conditions, found)


def _make_dosed(name: str, operators: Sequence[str], dose: int, branches: int = 0) -> Condition:
    if not dose:
        return Condition(name, "L0", branches=branches)
    level = max(_LEVELS[operator] for operator in operators)
    return Condition(name, level, dict.fromkeys(operators, dose), branches)


def _make_crossed(lengths: tuple[int, ...], branches: tuple[int, ...], branching: str) -> Design:
    if branching not in BRANCHING:
        message = f"'{branching}' is not an operator that adds branches"
        hint = f"choose one of: {', '.join(BRANCHING)}"
        raise MaterialError(Fault("design-unknown", message, "--branching", hint))
    conditions = tuple(
        _make_dosed(f"length-{length}-branches-{count}", LENGTHENING, length, count)
        for count in branches
        for length in lengths
    )
    return Design(FACTORIAL, conditions, lengths, branches, branching)


def _refuse_unknown(named: str, kind: str, operator: str) -> None:
    kinds = (LEVELS, TOOLS, DOSES, FACTORIAL)
    if kind not in kinds or (operator and kind != DOSES):
        hint = suggest(named, list(kinds)) or "choose levels, tools, doses:OPERATOR or factorial"
        message = f"there is no design '{named}'"
        raise MaterialError(Fault("design-unknown", message, "DESIGN", hint))
    if kind == DOSES and operator not in _LEVELS:
        message = (
            f"'{operator}' is not a complexity operator" if operator else "no operator is named"
        )
        hint = suggest(operator, list(_LEVELS)) or (f"write doses: and one of {', '.join(_LEVELS)}")
        raise MaterialError(Fault("design-unknown", message, "DESIGN", hint))


def _parse_counts(
    option: str, text: str | None, usual: tuple[int, ...], largest: int
) -> tuple[int, ...]:
    """Return the whole numbers of a list; each once, and two at least, for one shows nothing."""
    if text is None:
        return usual
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not re.fullmatch("[0-9]{1,4}", part) or int(part) > largest]
    if wrong:
        message = f"'{wrong[0]}' is not a whole number from 0 to {largest}"
        raise MaterialError(_make_counts_fault(option, message, usual))
    found = tuple(map(int, parts))
    if len(set(found)) < max(len(found), 2):
        message = f"{text} is not a list of two or more different numbers"
        raise MaterialError(_make_counts_fault(option, message, usual))
    return found


def _make_counts_fault(option: str, message: str, usual: tuple[int, ...]) -> Fault:
    hint = f"write them with commas in between, for example --{option} {','.join(map(str, usual))}"
    return Fault("counts-malformed", message, f"--{option}", hint)


def _make_pointless_fault(option: str, design: str, other: str) -> Fault:
    message = f"the design {design} does not accept {option}"
    return Fault("counts-malformed", message, f"--{option}", f"remove them, {other}")
