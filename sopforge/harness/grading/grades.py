"""An attempt at a task when it is over, and the figures that it is graded by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sopforge.harness.environment.events import Event


class Stop(StrEnum):
    """Why an attempt came to its end."""

    ANSWER = "answer"
    """The agent gave its final text."""
    GAVE_UP = "gave up"
    """It ended without one."""
    FAILED = "failed"
    """The agent or its program broke."""
    TOO_SLOW = "too slow"
    """It was at work for longer than it may be."""
    CAP = "cap reached"
    """It asked its model as often as it may."""
    BUDGET = "budget spent"
    """It used as many tokens as it may."""
    REFUSED = "refused"
    """Its model, or the model's provider, refused to go on."""
    PROVIDER = "provider failed"
    """The provider did not answer: nothing is known of the agent, and the task is tried again."""


class Divergence(StrEnum):
    """Where an attempt first leaves the gold trajectory."""

    NONE = "none"
    WRONG_TOOL = "wrong tool"
    WRONG_PARAMETER = "wrong parameter"
    EARLY_STOP = "early stop"
    FURTHER_CALL = "further call"
    WRONG_ANSWER = "wrong answer"
    """All calls are the gold ones, and an answer is wrong."""


class DivergenceKind(StrEnum):
    """What an attempt gets wrong first, in the order of the procedure.

    Finer than ``Divergence``: gold calls in another order that changes nothing are no divergence,
    and a call that changes nothing is one only where nothing else is.
    """

    NONE = "none"
    WRONG_TOOL = "wrong tool"
    WRONG_PARAMETER = "wrong parameter"
    FABRICATED_PARAMETER = "fabricated parameter"
    """A wrong parameter whose value has no source."""
    WRONG_VALUE = "wrong value"
    """A decided value that a tool was given wrong, or one seen that was stated wrong."""
    WRONG_RULE = "wrong rule"
    """A decision comes out wrong although all that it reads was seen."""
    EARLY_STOP = "early stop"
    FURTHER_CALL = "further call"
    NO_ANSWER = "no answer"
    MALFORMED_ANSWER = "malformed answer"
    """All calls are made, and an outcome is not stated, or not as a value of its type."""
    SECRET_SAID = "secret said"  # noqa: S105 - no secret itself
    """All else is right, and a text has a secret that the task does not state."""
    WRONG_PART = "wrong part"
    """All else is right, and not what a layer asks for: the handling of a request, a count."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """All that is known of an attempt when it is over; no answer stands for none given."""

    events: Sequence[Event]
    answer: str | None
    stop: Stop


@dataclass(frozen=True, slots=True)
class Grade:
    """The figures of an attempt. Shares are from 0 to 1, None where there is nothing to share.

    ``is_complete`` asks for a value of its type for every outcome, in the final text alone, and
    ``is_right`` that each is the right one, and that what was done is right: with our own model,
    just the gold calls that act were made. ``precision`` and ``recall`` are of the tools called
    against those of the gold trajectory, ``parameters`` the share of gold parameters that some call
    of their tool was given right, ``is_in_order`` whether the gold calls were made in their order.
    ``path`` and ``goal`` are the task's: its gold steps, and for what goal it is there, if for one;
    ``expected`` has its outcomes.

    The rest is None where there is no model to judge by. ``is_in_needed_order`` asks for every gold
    call after those that its arguments come from, ``distractors`` counts calls of offered tools
    that no step of the procedure calls, and ``fabricated`` has the arguments and answers whose
    value has no source. ``divergence_kind`` is what is wrong first, ``divergence_at`` the step with
    its tool and parameter, or its decision and rule, and ``divergence_says`` what was right there.
    Of gold calls nothing is said either where nobody says which they are. ``is_compatible`` is the
    verdict of SOP-Bench's own evaluator, on packages in its format that are none of ours.
    ``session`` has the parts of what an attempt did to the records of a domain with tables; there,
    ``is_right`` asks that all of them are right too. ``pair`` is that of the task, if it has one.
    ``cases`` says of each case of a session with several whether it is right.
    """

    is_complete: bool
    is_right: bool
    outcomes: Mapping[str, bool]
    stated: Mapping[str, str]
    intermediates: Mapping[str, bool]
    precision: float | None
    recall: float | None
    parameters: float | None
    is_in_order: bool | None
    is_gold: bool | None
    calls: int
    refused: int
    unknown: int
    faults: int
    redundant: int
    beside: int
    divergence: Divergence = Divergence.NONE
    path: tuple[str, ...] = ()
    goal: str = ""
    expected: Mapping[str, str] = field(default_factory=dict)
    is_in_needed_order: bool | None = None
    distractors: int | None = None
    fabricated: tuple[str, ...] | None = None
    divergence_kind: DivergenceKind | None = None
    divergence_at: str = ""
    divergence_says: str = ""
    is_compatible: bool | None = None
    session: Mapping[str, bool] | None = None
    pair: str = ""
    cases: tuple[bool, ...] | None = None
