"""What the message of a refusal is made of: the tool's own material, the call, and plain words.

An agent reads these messages, so a word that comes from none of the three could be anything: an
order to the agent, a value of the record, the right answer.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache

from sopforge.dataset.trials.parameter_values import LONGEST_TEXT
from sopforge.domain.guards import GuardLeaf, list_guard_checks
from sopforge.domain.language.expressions import collect_all_read_fields
from sopforge.domain.model import (
    DomainModel,
    Tool,
    build_record_checks,
    build_writing_checks,
)
from sopforge.domain.values.types import EnumType, SetType, ValueType
from sopforge.rendering.refusal_codes import list_refusal_codes
from sopforge.rendering.tools.kinds import render_kind
from sopforge.sandbox.linting.rule import split_words

SHOWN = 100
"""How many characters of a message are quoted."""
_ALIKE = 0.6
_LONGEST_SHOWN = 40
"""A longer value may be cut in a message, in the middle of a word too."""
_CUT_AT = 80
"""Where our own tools cut a value."""
_OPENING = frozenset("'\"[{")
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"[0-9]+")
_PLAIN = split_words("""
    a an the this that these those it its they them their is are was were be been being has have
    had having no not nor none nothing and or but so if because of in on at by for from to into
    with without as than then there here whose which what who where when while one two any all
    each every both either neither only just other another same different must may can cannot
    could should would will do does did done more most less least over under between before after
    beyond within outside inside above
    below up too also such about near around yet still already again ago since until

    give given gave expect expected get got find found read write written known unknown missing
    invalid wrong malformed allowed required needed belong belongs contradict contradicts match
    matches matched mismatch agree agrees differ differs exist exists take takes have hold holds
    named call called check checked mean meant did you show shown fit fits lack lacks lacking
    larger smaller longer shorter greater higher lower long short exactly yes true false null

    value values parameter parameters argument arguments field fields name names key keys type
    types text texts string strings number numbers integer integers whole decimal decimals float
    place places digit digits character characters letter letters sign signs blank blanks empty
    boolean list lists item items entry entries object objects set sets dict date dates day days
    month months year years time times hour hours minute minutes form forms format pattern word
    words label labels option options range limit limits minimum maximum first last unit units
    state states stated record records recorded file tool tools please once twice input request
    json python instead itself nan infinity finite
""")


# Without equality: the cache of messages finds it by its identity, and compares no words.
@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What the messages of one refusal may say: its words, its conditions, and lists of labels."""

    words: frozenset[str]
    reasons: str = ""
    labels: tuple[tuple[str, ...], ...] = ()


def find_added_words(
    message: str, material: Material, arguments: Mapping[str, object]
) -> tuple[str, ...]:
    """Return the words of a message that come from nowhere, and labels that it singles out.

    A label is singled out where others of its list are not named, and neither the call nor the
    condition that failed names it or one much like it.
    """
    new, singled = _find_new_words(_remove_call_values(message, arguments, material), material)
    if not new and not singled:
        return ()
    given = _Given(arguments)
    added = [word for word in new if not given.has(word)]
    return (*added, *(label for label in singled if not given.is_like(label)))


def _remove_call_values(message: str, arguments: Mapping[str, object], material: Material) -> str:
    """Return a message without the texts and lists of the call, as Python writes them."""
    known = {label for labels in material.labels for label in labels}
    for value in arguments.values():
        text = repr(value)
        # A label stays, though the call may have it: that one label is named and others are not is
        # what is looked for.
        if text[0] in _OPENING and text[1:-1] not in known:
            message = message.replace(text, "\0").replace(text[:_CUT_AT], "\0")
    return message


@lru_cache(maxsize=4096)
def _find_new_words(message: str, material: Material) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that the material does not have, and the labels that are singled out."""
    new = [word for word in _split_words(message) if word not in material.words]
    reasons = _normalize_text(material.reasons)
    singled = [
        label
        for label in _find_singled_labels(message, material.labels)
        if _normalize_text(label) not in reasons
    ]
    return tuple(dict.fromkeys(new)), tuple(singled)


def collect_material(model: DomainModel, tool: Tool, code: str) -> Material:
    """Return what a tool's refusals of a code may say; of a code that it does not have, nothing."""
    failed = [check for check in _list_checks(model, tool) if check.refusal == code]
    reasons = " ".join(check.says for check in failed)
    read = sorted(collect_all_read_fields(check.test for check in failed) & model.fields.keys())
    names = dict.fromkeys((*tool.takes, *read))
    described = (_describe_field(model, name) for name in names)
    entities = " ".join(
        f"{part.name} {part.store} {part.key}" for part in model.list_entities_read(tool)
    )
    known = code if code in list_refusal_codes(model, tool) else ""
    text = " ".join((tool.name, tool.description, known, entities, f"1 {LONGEST_TEXT}", *described))
    labels = (_list_labels(model.fields[name].type) for name in names)
    return make_material(text, reasons, (found for found in labels if found))


def make_material(text: str, reasons: str = "", labels: Iterable[tuple[str, ...]] = ()) -> Material:
    """Return the material of a text, besides which the plain words are allowed."""
    return Material(frozenset(_split_words(f"{text} {reasons}")) | _PLAIN, reasons, tuple(labels))


def format_message(message: str) -> str:
    """Return the start of a message, as a literal."""
    cut = message if len(message) <= SHOWN else f"{message[:SHOWN]}..."
    return json.dumps(cut, ensure_ascii=False)


def _list_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    return (
        *build_record_checks(model, tool),
        *list_guard_checks(tool.guard),
        *build_writing_checks(model, tool),
    )


def _describe_field(model: DomainModel, name: str) -> str:
    item = model.fields[name]
    described = f"{name} {item.label} {item.description} {item.missing}"
    return f"{described} {render_kind(item, with_missing=True)}"


def _list_labels(kind: ValueType) -> tuple[str, ...]:
    return kind.values if isinstance(kind, EnumType | SetType) else ()


class _Given:
    """The words of a call's arguments, and those that its messages may cut or write plainly."""

    def __init__(self, arguments: Mapping[str, object]) -> None:
        self._arguments = arguments

    @cached_property
    def _words(self) -> tuple[frozenset[str], ...]:
        """The words of each name and each value."""
        names = (_split_name(name) for name in self._arguments)
        values = (_split_value(_Spelled(repr(item), item)) for item in self._arguments.values())
        return (*names, *values)

    def has(self, word: str) -> bool:
        """Return whether a word is one of the call's, or the start of one in a long value."""
        if any(word in words for words in self._words):
            return True
        return self._is_long and any(
            known.startswith(word) for words in self._words for known in words
        )

    @property
    def _is_long(self) -> bool:
        return any(len(repr(value)) > _LONGEST_SHOWN for value in self._arguments.values())

    def is_like(self, label: str) -> bool:
        """Return whether the call names a label, or something that looks much like it."""
        texts = _iterate_strings(list(self._arguments.values()))
        return any(
            _is_like(_normalize_text(text).strip(), _normalize_text(label)) for text in texts
        )


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A value of a call, which is known by how Python writes it: a list has no hash."""

    text: str
    value: object = field(compare=False)


# Most values come in hundreds of calls: each call differs from the others in one of them.
@lru_cache(maxsize=4096)
def _split_value(spelled: _Spelled) -> frozenset[str]:
    texts = _iterate_spellings(spelled.value)
    return frozenset(word for text in texts for word in _split_words(text))


@lru_cache(maxsize=4096)
def _split_name(name: str) -> frozenset[str]:
    return frozenset(_split_words(name))


def _is_like(text: str, label: str) -> bool:
    if label in text:
        return True
    compared = SequenceMatcher(None, text, label)
    # The first is an upper bound of the second, and costs next to nothing.
    return compared.real_quick_ratio() >= _ALIKE and compared.ratio() >= _ALIKE


def _iterate_strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            yield from (text for part in value for text in _iterate_strings(part))
        case _:
            pass


def _iterate_spellings(value: object) -> Iterator[str]:
    """Return a value as messages write it: as Python and JSON do, its parts, and its length."""
    yield from (str(value), ascii(value), repr(value), *_iterate_number_spellings(value))
    # A date with a T before its time is named again as it should be written.
    yield " ".join(_DIGITS.findall(str(value)))
    match value:
        case str():
            yield value.strip()
        case Mapping():
            yield from (
                text for pair in value.items() for part in pair for text in _iterate_spellings(part)
            )
        case list() | tuple():
            yield from (text for part in value for text in _iterate_spellings(part))
            # Messages count the items of a list, and name them by their place.
            yield " ".join(map(str, range(len(value) + 1)))
        case _:
            pass


def _iterate_number_spellings(value: object) -> Iterator[str]:
    """Return the number that a value is or writes, plainly, and how long the value is."""
    yield f"{len(repr(value))} {len(str(value))}"
    try:
        number = float(unicodedata.normalize("NFKC", str(value)))
    except ValueError:
        return
    yield f"{number!r} {number:.0f} {number:f}"


def _find_singled_labels(message: str, lists: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the labels that a message names more often than it names a whole list of theirs."""
    known = tuple(lists)
    rest, counts = _normalize_text(message), {label: 0 for labels in known for label in labels}
    # The longest first: within "not paid" stands "paid", which is not what is named.
    for label in sorted(counts, key=len, reverse=True):
        rest, counts[label] = _build_label_pattern(label).subn("\0", rest)
    whole = {labels: min(counts[label] for label in labels) for labels in known}
    return [
        label
        for label, count in counts.items()
        if count > max(whole[labels] for labels in known if label in labels)
    ]


@cache
def _build_label_pattern(label: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(_normalize_text(label))}(?!\w)")


def _split_words(text: str) -> list[str]:
    """Return the words of a text, plainly written; numbers without zeros before them."""
    return [_strip_zeros(word) for word in _WORD.findall(_normalize_text(text))]


def _normalize_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _strip_zeros(word: str) -> str:
    return word.lstrip("0") or "0" if word.isdecimal() else word
