"""Values that survive their readers: CSV readers, spreadsheets, loose matchers, Python."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from sopforge.language.domain.building.gathering import Gathering, find_duplicates
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.fields import Field, Part, Role
from sopforge.language.domain.values.patterns import Pattern, read_pattern
from sopforge.language.domain.values.spreadsheets import (
    describe_spreadsheet_change,
    list_date_shapes,
)
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.language.domain.values.unseen import describe_unfit_sign

Named = TypeVar("Named", Field, Part)
_READ_AS_MISSING = frozenset(
    {
        *("#n/a", "#na", "-nan", "<na>", "n/a", "na", "nan", "none", "null", "nil"),
        # SOP-Bench's evaluator puts "unknown" where it finds no answer.
        *("#n/a n/a", "1.#ind", "1.#qnan", "unknown", "empty", "-"),
    }
)
_TEXTS_TRIED = 200
_READ_AS_OTHERS = ("true", "false", "nan", "inf", "infinity")
# Fields are variables in the emitted methods, which call these; task_id is a column of its own.
_IN_METHODS = frozenset(
    {
        *("self", "record", "checked", "rounded", "add_months", "add_workdays", "workdays"),
        *("abs", "all", "any", "len", "max", "min", "sum", "tuple", "task_id"),
        *("lower_median", "weekday_of"),
    }
)


def is_read_as_missing(text: str) -> bool:
    """Return whether common readers take a text for no value, so that it can be no label."""
    return text.strip().lower() in _READ_AS_MISSING


def check_labels(gathering: Gathering, path: Path, item: Field) -> None:
    """Add faults for values of a field that a reader would change or mistake."""
    labels = [*list_labels(item.type), *([item.missing] if item.missing else [])]
    _check_values(gathering, path, item.name, labels)
    for name, kind in item.type.fields if isinstance(item.type, ListType) else ():
        _check_values(gathering, (*path, "items", name), name, list_labels(kind))
    if isinstance(item.type, TextType) and item.missing and _has(item.type, item.missing):
        message = (
            f"'{item.missing}' is the 'missing' word of '{item.name}', but also one of its texts"
        )
        gathering.add_fault(path, "duplicate-label", message, "use another word for 'missing'")
    # Sets are compared label by label.
    if item.role is Role.OUTCOME and not isinstance(item.type, SetType):
        _check_contained(gathering, path, labels)


def _has(kind: TextType, text: str) -> bool:
    """Return whether a type whose texts are no labels has a text."""
    shape = find_shape(kind)
    return shape.has(text) if shape else kind.is_free and text in kind.pool


def check_parts(gathering: Gathering, path: Path, parts: Sequence[Part]) -> None:
    """Add a fault for two fields of a list's items that texts call alike."""
    check_named_apart(gathering, parts, lambda part: (*path, "items", part.name))


def check_named_apart(
    gathering: Gathering, items: Iterable[Named], locate: Callable[[Named], Path]
) -> None:
    """Add a fault for two fields, or two of a list's items, that texts call alike."""
    named: dict[str, str] = {}
    for item in items:
        words = item.label.lower()
        if words in named:
            message = f"'{item.name}' and '{named[words]}' have the same label, '{item.label}'"
            hint = "give one of them a different label"
            gathering.add_fault(locate(item), "duplicate-label", message, hint)
        named[words] = item.name


def check_name(gathering: Gathering, path: Path, name: str) -> None:
    """Add a fault for a name that no expression could read."""
    if keyword.iskeyword(name):
        _refuse_name(gathering, path, name)


def check_field_name(gathering: Gathering, path: Path, name: str) -> None:
    """Add a fault for a name that no expression could read, or that breaks the emitted tools."""
    if keyword.iskeyword(name) or name in _IN_METHODS:
        _refuse_name(gathering, path, name)


def list_labels(kind: ValueType) -> tuple[str, ...]:
    """Return the texts that a type's values can show, where they are listed."""
    match kind:
        case EnumType():
            return kind.values
        case SetType():
            return (*kind.values, kind.empty)
        case BooleanType():
            return BOOLEAN_WORDS
        case TextType(is_free=False):
            return kind.pool
        case ListType():
            return (kind.empty,)
        case _:
            return ()


def describe_unreadable_label(label: str) -> str:
    """Say why a reader of CSV files could change or misread a label, or nothing."""
    if label.strip().lower() in _READ_AS_MISSING:
        return describe_change_on_reading(label)
    if unfit := describe_unfit_sign(label, is_compared=True):
        return unfit
    if label != label.strip():
        return "begins or ends with a blank"
    if ";" in label:
        return "contains a semicolon, which separates the values of a set"
    if any(letter in label for letter in '"<>{}'):
        return (
            "contains a quotation mark, an angle bracket or a brace, which SOPForge uses in"
            " texts and tags"
        )
    return describe_change_on_reading(label)


def describe_change_on_reading(text: str) -> str:
    """Say how a reader of CSV files or a spreadsheet would change a text, or nothing."""
    if text.strip().lower() in _READ_AS_MISSING:
        return "is read as a missing value by common programs"
    if text[:1] in {"=", "+", "-", "@"}:
        return "starts a formula in a spreadsheet"
    if text.lower() in {"true", "false"} or _is_number(text):
        return "is read as a number or a boolean by common programs"
    return describe_spreadsheet_change(text)


def find_doubtful_texts(pattern: Pattern) -> list[str]:
    """Return texts of a pattern that a reader of CSV files could change or misread.

    Empty if there are none: each shape that is misread is tried with the likeliest letters.
    """
    words = [word for word in (*_READ_AS_MISSING, *_READ_AS_OTHERS) if pattern.has_like(word)]
    # Digits with an exponent or a point make numbers, signs formulas, and a blank may end a text.
    preferred = ("0123456789eE.", "0123456789.eE", "=+-@", " ")
    tried = [pattern.build_text(0), *map(pattern.build_nearest_text, preferred), *sorted(words)]
    tried += [text for shape in list_date_shapes() for text in _list_first_texts(pattern, shape)]
    return [text for text in tried if describe_unreadable_label(text)]


def check_texts(gathering: Gathering, path: Path, item: Field) -> None:
    """Add a fault for a pattern or free texts of a record that a reader of CSV files would change.

    What stands in a list is kept, for its cell is JSON.
    """
    if not isinstance(item.type, TextType):
        return
    if item.type.pattern:
        for text in find_doubtful_texts(read_pattern(item.type.pattern))[:1]:
            message = f"a text of '{item.name}' such as '{text}' {describe_unreadable_label(text)}"
            hint = (
                "let the pattern begin with a letter and contain more than a date, for example"
                " R[0-9]{6}"
            )
            gathering.add_fault(path, "pattern-not-safe", message, hint)
    for text in item.type.pool if item.type.is_free else ():
        unfit = describe_unfit_sign(text, is_compared=False)
        if reason := unfit or describe_change_on_reading(text):
            message = f"the text '{text}' of '{item.name}' {reason}"
            hint = "delete this character" if unfit else "write it in other words"
            gathering.add_fault(path, "label-not-safe", message, hint)


def _list_first_texts(pattern: Pattern, shape: tuple[str, ...]) -> list[str]:
    """Return some of the texts that a pattern shares with a shape: enough for a day to be right."""
    if len(shape) != len(pattern.alphabets):
        return []
    shared = pattern.intersect(Pattern(shape))
    return [shared.build_text(number) for number in range(min(shared.size, _TEXTS_TRIED))]


def _check_values(gathering: Gathering, path: Path, name: str, labels: Sequence[str]) -> None:
    for label in labels:
        if reason := describe_unreadable_label(label):
            hint = "rename the value"
            if describe_unfit_sign(label, is_compared=True):
                hint = "delete this character, or type a plain space in its place"
            gathering.add_fault(path, "label-not-safe", f"the value '{label}' {reason}", hint)
    for label in find_duplicates(labels):
        message = f"two values of '{name}' are written '{label}'"
        gathering.add_fault(path, "duplicate-label", message, "rename or remove one of them")


def describe_reserved_name(name: str) -> str:
    """Return who uses a name that a brief may not use."""
    if keyword.iskeyword(name):
        return f"'{name}' is a reserved word of Python"
    return f"'{name}' is a name that the generated tools use"


def _refuse_name(gathering: Gathering, path: Path, name: str) -> None:
    message = describe_reserved_name(name)
    gathering.add_fault(path, "name-reserved", message, f"rename it, for example '{name}_value'")


def _check_contained(gathering: Gathering, path: Path, labels: list[str]) -> None:
    for inner in labels:
        for outer in labels:
            # SOP-Bench's matcher takes an answer for right that contains the right label: "not
            # approved" would be right where "approved" is.
            if inner != outer and _normalize_label(inner) in _normalize_label(outer):
                message = (
                    f"the outcome value '{inner}' is part of the value '{outer}', so scoring"
                    " cannot distinguish them"
                )
                hint = "rename one of the two values"
                if {inner, outer} & set(BOOLEAN_WORDS):  # nobody can rename these
                    hint = (
                        "choose a word that contains neither 'yes' nor 'no', for example"
                        " 'undecided'"
                    )
                gathering.add_fault(path, "label-inside-label", message, hint)


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def _normalize_label(label: str) -> str:
    return label.lower().replace("_", " ").replace("-", " ").strip()
