"""A pool of details that forms and records have, and on which no case turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from sopforge.artifacts.complexity.added_fields import make_field, make_name
from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.rendering.sop.sections.fields import is_plain_name
from sopforge.language.domain.building.field_parts.clauses import is_plain_clause
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Field, Role, Said
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import BooleanType, EnumType, NumberType
from sopforge.language.english.nouns import add_article, is_plural, pluralize
from sopforge.morphology import pluralize_verb
from sopforge.seeds import permute_items

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
_OF_PAPERS = (
    ("in_original", "original of the", "came in the original", "did not come in the original"),
    ("signed", "signature on the", "is signed", "is not signed"),
    ("dated", "date on the", "is dated", "is not dated"),
    ("legible", "legibility of the", "is legible", "is not legible"),
    ("certified", "certification of the", "is certified", "is not certified"),
    ("stamped", "stamp on the", "is stamped", "is not stamped"),
    ("amended", "amendment of the", "was amended by hand", "was not amended by hand"),
)
_OF_ROLES = (
    ("informed", "notice to the", "has been informed", "has not been informed"),
    ("asked", "enquiry with the", "was asked beforehand", "was not asked beforehand"),
    ("called", "call to the", "has been called", "has not been called"),
    ("replied", "reply of the", "has replied", "has not replied"),
    (
        *("confirmed", "confirmation by the"),
        *("has confirmed the entries", "has not confirmed the entries"),
    ),
)
"""What is so or not of a paper, and of a role: an ending of the name, a label, and what is said."""


def _make_label_field(name: str, label: str, description: str, *values: str) -> Field:
    return make_field(name, Role.DISTRACTOR, EnumType(values), description, label)


def _make_number_field(name: str, label: str, description: str, low: int, high: int) -> Field:
    return make_field(name, Role.DISTRACTOR, NumberType(low, high), description, label)


def _make_yes_no_field(name: str, label: str, yes: str, no: str) -> Field:
    item = make_field(name, Role.DISTRACTOR, BooleanType(), f"whether {yes}", label)
    # Of a health and safety team, the label alone says it.
    is_plain = is_plain_clause(yes) and is_plain_clause(no)
    return replace(item, said=Said(yes, no)) if is_plain else item


def iterate_stated_fields(model: DomainModel, seed: int) -> Iterator[Field]:
    """Yield what a case states of each value that a look-up returns, in a keyed order.

    The rules read the value that is returned, and tools take no other.
    """
    read = collect_all_read_fields(collect_deciding_expressions(model))
    items = [item for item in model.with_role(Role.OBSERVED) if _may_be_stated(item)]
    items = [item for item in items if item.name in read]
    for item in permute_items(items, seed, "stated"):
        manners = (*_STATEMENTS, *_GUESSES) if isinstance(item.type, NumberType) else _STATEMENTS
        word, frame = permute_items(manners, seed, "statement", item.name)[0]
        said = frame.format(description=item.description)
        yield make_field(
            f"{word}_{item.name}", Role.DISTRACTOR, item.type, said, f"{word} {item.label}"
        )


def iterate_named_fields(model: DomainModel, setting: Setting, seed: int) -> Iterator[Field]:
    """Yield what is so or not of the papers and the roles of a procedure, the two in turn.

    Of what a field of the domain says already, nothing else is said.
    """
    # A file is no paper that somebody signs.
    papers = [paper for paper in setting.papers if not paper.endswith(" file")]
    columns = (
        _iterate_said_of(model, papers, _OF_PAPERS, seed),
        _iterate_said_of(model, setting.roles, _OF_ROLES, seed),
    )
    for turn in zip_longest(*columns):
        yield from filter(None, turn)


def _iterate_said_of(
    model: DomainModel, things: Sequence[str], pool: Sequence[tuple[str, str, str, str]], seed: int
) -> Iterator[Field]:
    """Yield one yes/no field of each thing, in which another thing is said of each.

    It has a label of its own where most inputs of the domain have one.
    """
    labelled = [x for x in model.case_inputs if not is_plain_name(x.name, x.label)]
    has_labels = len(labelled) * 2 > len(model.case_inputs)
    known = " ".join(f"{x.label} {x.description}" for x in model.fields.values()).lower()
    order = permute_items(pool, seed, "said of", model.name, *pool[0])
    for number, thing in enumerate(permute_items(list(things), seed, "things", model.name)):
        ending, label, yes, no = order[number % len(order)]
        if not (thing.lower() in known and ending.rpartition("_")[2] in known):
            name, subject = f"{make_name(thing)}_{ending}", f"the {thing}"
            words = f"{label} {thing}" if has_labels else f"{thing} {ending.replace('_', ' ')}"
            yield _make_yes_no_field(
                name, words, *(f"{subject} {_phrase_said_of(said, thing)}" for said in (yes, no))
            )


def _phrase_said_of(said: str, subject: str) -> str:
    """Return what is said of a thing, with the verb in the plural where there are several."""
    verb, _, rest = said.partition(" ")
    return f"{pluralize_verb(verb) if is_plural(subject) else verb} {rest}"


def _may_be_stated(item: Field) -> bool:
    return isinstance(item.type, EnumType | NumberType) and not item.said


def name_cases(pool: Iterable[Field], case: str) -> list[Field]:
    """Return fields of a pool that say what a domain calls its cases."""
    cases = pluralize(case)

    def name(text: str) -> str:
        text = re.sub(r"\ba case\b", add_article(case), text)
        return re.sub(r"\bcases\b", cases, re.sub(r"\bcase\b", case, text))

    def name_in(item: Field) -> Field:
        said = item.said and Said(name(item.said.yes), name(item.said.no))
        return replace(item, label=name(item.label), description=name(item.description), said=said)

    return [name_in(item) for item in pool]


OF_FILES = (
    _make_yes_no_field(
        *("countersigned", "countersignature"),
        *("a second person has signed the papers", "no second person has signed the papers"),
    ),
    _make_yes_no_field(
        *("complaint_open", "open complaint"),
        *("a complaint in this matter is open", "no complaint in this matter is open"),
    ),
    _make_yes_no_field(
        *("papers_in_original", "original papers"),
        *("the papers are originals", "the papers are not originals"),
    ),
    _make_yes_no_field(
        *("warning_note", "warning note"),
        *("the file has a warning note", "the file has no warning note"),
    ),
    _make_yes_no_field(
        *("marked_urgent", "urgent mark"),
        *("the case is marked as urgent", "the case is not marked as urgent"),
    ),
    _make_yes_no_field(
        *("objection_on_file", "objection"),
        *("an objection is on file", "no objection is on file"),
    ),
    _make_yes_no_field(
        *("known_matter", "known matter"),
        *("the same matter has come up before", "the same matter has not come up before"),
    ),
    _make_yes_no_field(
        *("changed_later", "later change"),
        *("an entry was changed after receipt", "no entry was changed after receipt"),
    ),
    _make_yes_no_field(
        *("drawn_for_audit", "audit mark"),
        *("the case has been drawn for an audit", "the case has not been drawn for an audit"),
    ),
    _make_yes_no_field(
        *("dispute_pending", "pending dispute"),
        *("a dispute in this matter is pending", "no dispute in this matter is pending"),
    ),
    _make_yes_no_field(
        *("deputy_signed", "signature of a deputy"),
        *(
            "a deputy has signed for the person in charge",
            "no deputy has signed for the person in charge",
        ),
    ),
    _make_number_field(
        "corrections", "number of corrections", "entries that were corrected by hand", 0, 8
    ),
    _make_number_field(
        "reminders_received", "number of reminders received", "reminders that have come in", 0, 5
    ),
    _make_number_field(
        "open_queries",
        "number of open queries",
        "questions about the papers that are still open",
        0,
        6,
    ),
    _make_number_field(
        "earlier_handlers",
        "number of earlier handlers",
        "people who have had the file before",
        0,
        4,
    ),
)
"""What files hold and a rule of any office might ask for."""
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
