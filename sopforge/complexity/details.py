"""A pool of details that forms and records have, and on which no case turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sopforge.complexity.added_fields import make_field
from sopforge.complexity.trade.setting import pluralize_words
from sopforge.domain.fields import Field, Role
from sopforge.domain.language.expressions import collect_all_read_fields
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.values.types import DateType, EnumType, NumberType
from sopforge.logic.phrasing.grammar import add_article
from sopforge.material.material import Detail
from sopforge.seeds import permute_index, permute_items

_STATEMENTS = (
    ("stated", "{description}, as stated on the form"),
    ("reported", "{description}, as first reported"),
    ("declared", "{description}, as declared"),
)
_GUESSES = (
    ("estimated", "{description}, by a first estimate"),
    ("expected", "{description}, as expected at the outset"),
)
"""How a case comes to state what a tool returns: a word for it, and what the entry is.

A number may also be guessed at.
"""
_OF_TIME = re.compile(r"\b(?:previous|earlier|last|first|usual|latest|former|this|prior)\b")
"""Words of labels that say already of which time something is."""
_EARLIER = (
    ("previous", "the previous {case}"),
    ("usual", "most of the earlier {cases}"),
)
"""How a case comes to state what an input was before: a word for it, and on which cases."""


def _make_label_field(name: str, label: str, description: str, *values: str) -> Field:
    return make_field(name, Role.DISTRACTOR, EnumType(values), description, label)


def _make_number_field(name: str, label: str, description: str, low: int, high: int) -> Field:
    return make_field(name, Role.DISTRACTOR, NumberType(low, high), description, label)


def make_detail_field(item: Detail) -> Field:
    """Return a detail that was written for a domain as a field."""
    if item.values:
        return _make_label_field(item.name, "", item.description, *item.values)
    return _make_number_field(item.name, "", item.description, item.lowest, item.highest)


def with_pool(written: Iterable[Detail], pool: Iterable[Field]) -> list[Field]:
    """Return what was written for a domain as fields, then those of a pool with other names."""
    own = {item.name: make_detail_field(item) for item in written}
    return [*own.values(), *(item for item in pool if item.name not in own)]


def iterate_stated_fields(model: DomainModel, seed: int) -> Iterator[Field]:
    """Yield what a case states of each value that a look-up returns, in a keyed order.

    The rules read the value that is returned, and tools take no other.
    """
    read = collect_all_read_fields(collect_deciding_expressions(model))
    items = [item for item in model.with_role(Role.OBSERVED) if _may_be_stated(item)]
    items = [item for item in items if item.name in read]
    for place in range(len(items)):
        item = items[permute_index(place, len(items), seed, "stated")]
        manners = (*_STATEMENTS, *_GUESSES) if isinstance(item.type, NumberType) else _STATEMENTS
        word, frame = permute_items(manners, seed, "statement", item.name)[0]
        said = frame.format(description=item.description)
        yield make_field(
            f"{word}_{item.name}", Role.DISTRACTOR, item.type, said, f"{word} {item.label}"
        )


def iterate_earlier_fields(model: DomainModel, seed: int) -> Iterator[Field]:
    """Yield what inputs were on earlier cases, in a keyed order, each input once.

    They read as the inputs themselves do, of which the rules read those of this case alone.
    """
    read = collect_all_read_fields(collect_deciding_expressions(model))
    items = [item for item in model.inputs if model.find_owner(item.name) is model.case]
    items = [item for item in items if item.name in read and _may_have_changed(item)]
    case = model.case.name.replace("_", " ")
    for number, item in enumerate(permute_items(items, seed, "earlier", model.name)):
        # Days are seldom the same.
        word, frame = _EARLIER[0 if isinstance(item.type, DateType) else number % len(_EARLIER)]
        cases = frame.format(case=case, cases=pluralize_words(case))
        # "day of the request" becomes "day of the previous request".
        said, count = re.subn(rf"\bthe {re.escape(case)}\b", cases, item.label)
        label = said if count else f"{word} {item.label}"
        said = said if count else f"{item.label} on {cases}"
        yield make_field(f"{word}_{item.name}", Role.DISTRACTOR, item.type, said, label)


def _may_have_changed(item: Field) -> bool:
    is_of_kind = isinstance(item.type, EnumType | NumberType | DateType) and not item.said
    return is_of_kind and _OF_TIME.search(item.label) is None


def _may_be_stated(item: Field) -> bool:
    return isinstance(item.type, EnumType | NumberType) and not item.said


def name_cases(pool: Iterable[Field], case: str) -> list[Field]:
    """Return fields of a pool that say what a domain calls its cases."""
    cases = pluralize_words(case)

    def name(text: str) -> str:
        text = re.sub(r"\ba case\b", add_article(case), text)
        return re.sub(r"\bcases\b", cases, re.sub(r"\bcase\b", case, text))

    return [
        replace(item, label=name(item.label), description=name(item.description)) for item in pool
    ]


OF_FORMS = (
    _make_label_field(
        *("submission_channel", "channel of the case", "channel by which the case was submitted"),
        *("Counter", "E-mail", "Post", "Web form"),
    ),
    _make_label_field(
        *("submitted_by", "person who submitted the case", "who submitted the case"),
        *("Sender", "Representative", "Partner office"),
    ),
    _make_label_field(
        *("stated_urgency", "urgency of the case", "how urgent the case is said to be"),
        *("Ordinary", "Urgent", "Very urgent"),
    ),
    _make_number_field(
        "earlier_cases",
        "number of earlier cases",
        "cases submitted earlier from the same address",
        0,
        9,
    ),
    _make_label_field(
        *("receiving_site", "receiving site", "site that received the case"),
        *("Head office", "North", "Riverside", "West"),
    ),
    _make_number_field(
        "attachments",
        "number of attachments",
        "number of attachments that came with the case",
        0,
        12,
    ),
    _make_label_field(
        *("handling_wish", "wish for handling", "how the case is to be handled, as requested"),
        *("Standard", "Express", "By appointment"),
    ),
    _make_label_field(
        *(
            "correspondence_language",
            "language of letters",
            "language requested for letters",
        ),
        *("English", "French", "German", "Spanish"),
    ),
    _make_label_field(
        *("contact_by", "means of contact", "how to get in touch about the case"),
        *("E-mail", "Letter", "Telephone"),
    ),
    _make_number_field(
        "years_known",
        "years on file",
        "full years since the first case from the same address",
        0,
        25,
    ),
    _make_label_field(
        *("acknowledged_by", "form of acknowledgement", "how receipt of the case was acknowledged"),
        *("E-mail", "Letter", "Text message"),
    ),
    _make_label_field(
        *("paper_state", "state of the papers", "state in which the papers of the case arrived"),
        *("Complete", "With gaps", "Hard to read"),
    ),
    _make_number_field(
        "earlier_letters",
        "number of earlier letters",
        "number of letters exchanged before the case",
        0,
        7,
    ),
    _make_label_field(
        *(
            "survey_consent",
            "consent to a survey",
            "whether a survey may be sent",
        ),
        *("Agreed", "Declined", "Not asked"),
    ),
)
OF_RECORDS = (
    _make_number_field(
        "record_version", "number of changes", "number of times that the record was changed", 1, 40
    ),
    _make_label_field(
        *("record_origin", "origin of the record", "system from which the record was transferred"),
        *("Core", "Import", "Portal"),
    ),
    _make_label_field(
        *("entered_by_team", "team of entry", "team that entered the record"),
        *("Team A", "Team B", "Team C"),
    ),
    _make_number_field(
        "record_views", "number of views", "number of times that the record was opened", 0, 250
    ),
    _make_label_field(
        *("storage_region", "region of storage", "region in which the record is stored"),
        *("East", "North", "South"),
    ),
    _make_number_field(
        "attached_documents",
        "number of documents",
        "number of documents attached to the record",
        0,
        15,
    ),
    _make_label_field(
        *("record_language", "language of the record", "language in which the record is kept"),
        *("English", "French", "German", "Spanish"),
    ),
    _make_label_field(
        *("last_contact", "means of the last contact", "means of the last contact on the record"),
        *("E-mail", "Letter", "Telephone"),
    ),
    _make_number_field(
        "open_enquiries", "number of enquiries", "number of enquiries on the record", 0, 6
    ),
    _make_label_field(
        *(
            "transfer_mode",
            "mode of transfer",
            "mode in which the record is transferred to the archive",
        ),
        *("Daily", "Weekly", "On request"),
    ),
    _make_number_field(
        "printed_copies",
        "number of prints",
        "number of copies of the record that were printed",
        0,
        9,
    ),
    _make_label_field(
        *("retention_class", "class of retention", "class of the retention schedule"),
        *("Long", "Medium", "Short"),
    ),
)
