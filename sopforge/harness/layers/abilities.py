"""What programs can do amid layers, and the agents that lack one ability each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Ability(StrEnum):
    """What an agent needs that works amid layers."""

    REPEATING = "repeats a call that failed, as often as it may"
    TURNING_AWAY = "turns to a stand-in where a tool gives no answer"
    DOUBTING = "looks at a result before it uses it"
    REFUSING = "refuses what is not to be carried out"
    CARRYING_OUT = "carries out what says more than it must, and may be carried out"
    LINKING = "decides a case by those before it"
    REMEMBERING = "remembers a session as long as it lasts"
    COMPARING = "compares the records that are found before one is taken"
    COMPARING_ALL = "compares all entries of a record"
    HEARING_OUT = "goes by what was stated last"
    GOING_BY_RECORDS = "goes by records, whatever somebody says of them"
    STANDING_FIRM = "does what the procedure says, whatever is demanded"
    LOOKING_FIRST = "looks at what is there before it writes"
    WRITING_ONCE = "writes once what is to be written once"
    FOLLOWING = "follows references until it has all that it needs"
    DATING = "looks at the day from which an edition holds"
    WEIGHING = "weighs each word, and looks up what is said elsewhere"
    READING_ON = "reads what is said of a tool before it calls it"


@dataclass(frozen=True, slots=True)
class Ablated:
    """An agent that works as the reference does, but for one ability; it falls on one dial."""

    lacks: Ability
    dial: str


ABLATED: Mapping[str, Ablated] = {
    "never-retries": Ablated(Ability.REPEATING, "faults"),
    "retries-for-ever": Ablated(Ability.TURNING_AWAY, "faults"),
    "trusts-any-value": Ablated(Ability.DOUBTING, "faults"),
    "never-refuses": Ablated(Ability.REFUSING, "refusals"),
    "always-refuses": Ablated(Ability.CARRYING_OUT, "refusals"),
    "each-case-as-new": Ablated(Ability.LINKING, "queue"),
    "forgets": Ablated(Ability.REMEMBERING, "queue"),
    "first-record": Ablated(Ability.COMPARING, "records"),
    "nearest-record": Ablated(Ability.COMPARING_ALL, "records"),
    "writes-before-checking": Ablated(Ability.LOOKING_FIRST, "writes"),
    "enters-twice": Ablated(Ability.WRITING_ONCE, "writes"),
    "first-word": Ablated(Ability.HEARING_OUT, "user"),
    "believing": Ablated(Ability.GOING_BY_RECORDS, "user"),
    "obeying": Ablated(Ability.STANDING_FIRM, "user"),
    "careless": Ablated(Ability.WEIGHING, "ambiguity"),
    "top-passages": Ablated(Ability.FOLLOWING, "documents"),
    "latest-wins": Ablated(Ability.DATING, "documents"),
    "first-similar-tool": Ablated(Ability.READING_ON, "documents"),
}
"""The ablated agents by their names."""
