"""What an earlier edition said, in frames by which a reader knows it is void, and why it changed.

Where cases state a day, a limit of an earlier edition is one for cases of days before the change.
"""

from __future__ import annotations

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
OF_DATED_LIMITS = (
    "Where the {entry} is before {since}, the figure is {value} ({meaning}).",
    "If the {entry} is before {since}, apply {value} instead ({meaning}).",
    "For cases in which the {entry} is before {since}, {value} applies ({meaning}).",
    "A figure of {value} applies ({meaning}) if the {entry} is before {since}.",
)
OF_NAMED_DATED_LIMITS = (
    "Where the {entry} is before {since}, the {meaning} is {value}.",
    "If the {entry} is before {since}, use {value} as the {meaning}.",
    "The {meaning} is {value} if the {entry} is before {since}.",
)
OF_RULES = (
    "Until {until}, another rule stood here: {rule} {reason}",
    "Edition {edition}, in force until {until}, had this rule instead: {rule} {reason}",
    "Cases received before {since} were decided by another rule: {rule} {reason}",
)
REASONS = (
    "The {owner} changed this after a review of closed cases.",
    "The internal audit had recommended the change.",
    "The {workers} had found the earlier practice hard to explain.",
    "The earlier practice dated from the time before the {system} was introduced.",
    "The change came with the new release of the {system}.",
    "The {role} had reported that the earlier practice led to too many questions.",
    "A complaint about the earlier practice had been upheld.",
    "The practice was brought into line with that of the other sites.",
    "The {owner} and the {role} agreed on the change after a trial of six months.",
    "The new edition of the {paper} required it.",
    "The trade association had revised its recommendation.",
    "The change follows the experience of the previous year.",
    "The {role} had asked for the change.",
    "The insurers of the house had asked for the change.",
)
"""Why offices change their procedures, in frames that the names of a domain fill."""
