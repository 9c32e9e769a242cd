"""What an earlier edition said, in frames by which a reader knows it is void.

Each frame says up to which day the passage held. Where cases state a day, it is a rule for cases of
days before that one; elsewhere it speaks of the past. The reason stands last, so that whatever is
written there, the frame is read first.
"""

from __future__ import annotations

from collections.abc import Mapping

OF_LIMITS = (
    "Until {until}, the figure was {value} ({meaning}). {reason}",
    "The figure was changed from {value} on {since} ({meaning}). {reason}",
    "Cases received before {since} were decided by {value} ({meaning}). {reason}",
    "Edition {edition}, in force until {until}, had {value} ({meaning}). {reason}",
    "Prints made before {since} still show {value} ({meaning}). {reason}",
)
OF_NAMED_LIMITS = (
    "The {meaning} was {value} until {until}. {reason}",
    "The {meaning} was changed from {value} on {since}. {reason}",
    "In edition {edition}, in force until {until}, the {meaning} was {value}. {reason}",
)
"""For limits whose meaning is the name of one thing, such as the lowest score that is high."""
OF_COMPARISONS = (
    "Until {until}, the condition read as follows: {condition}. {reason}",
    "Edition {edition}, in force until {until}, had another condition: {condition}. {reason}",
    "Cases received before {since} had to meet another condition: {condition}. {reason}",
)
OF_CONDITIONS = (
    "Until {until}, the {label} did not depend on this condition: {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, did not have this condition of the {label}:"
        " {condition}. {reason}"
    ),
    "Before {since}, the {label} was established without this condition: {condition}. {reason}",
)
OF_HAND_OVERS = (
    "Before {since}, the {role} decided such cases: {condition}. {reason}",
    "Until {until}, this step began differently: consult the {role} if {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, had a further instruction here: consult the"
        " {role} if {condition}. {reason}"
    ),
)
OF_SHORTER_RULES = (
    "Until {until}, a shorter rule was in force: {result} if {condition}. {reason}",
    (
        "Edition {edition}, in force until {until}, had a shorter rule: {result} if {condition}."
        " {reason}"
    ),
    "The rule was extended on {since}; until then it was: {result} if {condition}. {reason}",
)
DATED: Mapping[tuple[str, ...], tuple[str, ...]] = {
    OF_LIMITS: (
        "Where the {entry} is before {day}, the figure is {value} ({meaning}).",
        "If the {entry} is before {day}, apply {value} instead ({meaning}).",
        "For cases in which the {entry} is before {day}, {value} applies ({meaning}).",
        "A figure of {value} applies ({meaning}) if the {entry} is before {day}.",
    ),
    OF_NAMED_LIMITS: (
        "Where the {entry} is before {day}, the {meaning} is {value}.",
        "If the {entry} is before {day}, use {value} as the {meaning}.",
        "The {meaning} is {value} if the {entry} is before {day}.",
    ),
    OF_COMPARISONS: (
        "If the {entry} is before {day}, the condition is this one instead: {condition}.",
        "Where the {entry} is before {day}, ask instead whether {condition}.",
        "In cases in which the {entry} is before {day}, what counts is whether {condition}.",
    ),
    OF_CONDITIONS: (
        "Where the {entry} is before {day}, the {label} does not depend on whether {condition}.",
        "If the {entry} is before {day}, establish the {label} without asking whether {condition}.",
        "Do not ask for the {label} whether {condition} if the {entry} is before {day}.",
    ),
    OF_HAND_OVERS: (
        "Where the {entry} is before {day}, consult the {role} first if {condition}.",
        "If the {entry} is before {day}, consult the {role} in cases in which {condition}.",
        "Consult the {role} in cases in which the {entry} is before {day} if {condition}.",
    ),
    OF_SHORTER_RULES: (
        "Where the {entry} is before {day}, {result} if {condition}.",
        "If the {entry} is before {day}, {result} whenever {condition}.",
        "In cases in which the {entry} is before {day}, {result} if {condition}.",
    ),
}
"""For domains whose cases state a day: the frames that take the place of others."""
