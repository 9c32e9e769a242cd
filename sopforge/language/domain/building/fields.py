"""Fields: documents become types and sampling."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from sopforge.language.domain.building.field_parts.clauses import (
    build_amount_clause,
    build_label_clauses,
    build_said,
    build_value_clause,
    derive_said,
    is_verb,
)
from sopforge.language.domain.building.field_parts.labels import (
    check_field_name,
    check_labels,
    check_name,
    check_parts,
    describe_unreadable_label,
)
from sopforge.language.domain.building.field_parts.told_facts import build_told
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.field_schema import (
    AtomDocument,
    BooleanField,
    BooleanItem,
    CommonItem,
    DateItem,
    DateTimeItem,
    DurationItem,
    EnumItem,
    FieldDocument,
    FreeTextDocument,
    IntegerField,
    IntegerItem,
    ListedDateItem,
    ListField,
    NumberField,
    NumberItem,
    ReferenceField,
    SetItem,
    StringItem,
    TypicalDocument,
)
from sopforge.language.domain.documents.schema_terms import Raw
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.fields import (
    AmountClause,
    Field,
    Malformed,
    Part,
    Role,
    Said,
    Sampling,
    Typical,
)
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    AtomType,
    BooleanType,
    DurationType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
    Value,
    ValueNotAllowedError,
    ValueType,
    require_integer,
    scale_decimal,
)

# A JSON number is read as a float by most, and spreadsheets keep as many digits of an integer.
EXACT_DIGITS = 15
LONGEST_TEXT = 200  # as the tools take
MOST_PARTS = 100
_WHETHER = "whether "
Bounded = TypeVar("Bounded", bound=OrderedType)
_MOMENTS: dict[str, MomentType] = {"date": ANY_DAY, "datetime": ANY_MINUTE}


def build_fields(
    gathering: Gathering, entity: str, documents: dict[str, FieldDocument]
) -> dict[str, Field]:
    """Return the fields that could be built, in document order."""
    fields = {}
    for name, document in documents.items():
        path = ("entities", entity, "fields", name)
        check_field_name(gathering, path, name)
        for part in document.items if isinstance(document, ListField) else ():
            check_name(gathering, (*path, "items", part), part)
        if not _are_items_sound(gathering, path, document):
            continue
        item = gathering.try_build(path, partial(_build_field, name, document))
        if item is not None:
            fields[name] = item
            check_labels(gathering, path, item)
            check_parts(gathering, path, item.parts)
    return fields


def _are_items_sound(gathering: Gathering, path: Path, document: FieldDocument) -> bool:
    """Return whether the fields of a list's items can be built; if not, faults name the fields."""
    items = document.items.items() if isinstance(document, ListField) else ()
    found = len(gathering.faults)
    for name, item in items:
        place = (*path, "items", name)
        if gathering.try_build(place, partial(_build_part, name, item)) is not None:
            kind = gathering.try_build(place, partial(_build_atom_type, item))
            if kind is not None:
                gathering.try_build(place, partial(build_sampling, item, kind))
    return len(gathering.faults) == found


def _build_field(name: str, document: FieldDocument) -> Field:
    kind = _build_type(document)
    if document.role == "secret" and not isinstance(kind, TextType):
        raise ValueNotAllowedError(
            "a secret must be a string, because it is only compared for equality",
            "set 'type: string', or choose another role",
        )
    return Field(
        name=name,
        label=_choose_label(name, document),
        role=Role(document.role),
        type=kind,
        description=document.description,
        missing=document.missing or "",
        primary=document.primary,
        sampling=build_sampling(document, kind),
        examples=tuple(_encode_example(kind, example) for example in document.examples),
        parts=_build_parts(document),
        scored=document.scored,
        malformed=_build_malformed(document, kind),
        said=build_said(document.said) if isinstance(document, BooleanField) else None,
        label_clauses=build_label_clauses(document),
        amount_clause=_build_amount_clause(document),
        starts=_build_start(document, kind),
        told=build_told(document, kind),
        tells=getattr(document, "tells", ()),
    )


def _build_amount_clause(document: FieldDocument) -> AmountClause | None:
    """Return what rules say of a number beside an amount, None where the brief does not say it."""
    if not isinstance(document, IntegerField | NumberField) or not document.said:
        return None
    return build_amount_clause(document.said, document.unit)


def _build_start(document: FieldDocument, kind: ValueType) -> Value | None:
    """Return what a session fact begins with, None for nothing."""
    if document.role != "session":
        if document.starts is not None:
            raise ValueNotAllowedError(
                "only a field of role session can have 'starts'",
                "remove 'starts', or set 'role: session'",
            )
        return None
    if document.starts is None and not document.missing:
        raise ValueNotAllowedError(
            "a field of role session needs 'starts', or a 'missing' word if it has no value at the"
            " beginning"
        )
    return None if document.starts is None else kind.encode(document.starts)


def _build_malformed(document: FieldDocument, kind: ValueType) -> Malformed | None:
    asked = getattr(document, "malformed", None)
    if asked is None:
        return None
    _check_malformable(document, kind)
    if not isinstance(kind, TextType) and not asked.texts:
        raise ValueNotAllowedError(
            "'malformed' needs 'texts' here, which list what the task states instead"
        )
    for text in asked.texts:
        if _is_value(kind, text):
            what = kind.pattern if isinstance(kind, TextType) else document.type
            raise ValueNotAllowedError(
                f"'{text}' is a valid value of {what}, so it is not malformed",
                "remove it from 'texts', or change it so that it is not a valid value",
            )
        if reason := describe_unreadable_label(text):
            raise ValueNotAllowedError(
                f"the malformed text '{text}' {reason}", "replace the text under 'texts'"
            )
    return Malformed(asked.share, asked.texts)


def _check_malformable(document: FieldDocument, kind: ValueType) -> None:
    if document.role != "input":
        raise ValueNotAllowedError(
            "only an input can be malformed, because records are always well formed",
            "remove 'malformed'",
        )
    if document.missing:
        raise ValueNotAllowedError(
            "a field can be either missing or malformed in some tasks, but not both",
            "remove 'missing' or 'malformed'",
        )
    if isinstance(kind, TextType) and not kind.pattern:
        raise ValueNotAllowedError(
            "a string can be malformed only if it has a pattern",
            "add 'pattern', or remove 'malformed'",
        )


def _is_value(kind: ValueType, text: str) -> bool:
    try:
        return not is_malformed(kind, kind.encode(text))
    except ValueNotAllowedError:
        return False


def _build_parts(document: FieldDocument) -> tuple[Part, ...]:
    items = document.items.items() if isinstance(document, ListField) else ()
    return tuple(_build_part(name, item) for name, item in items)


def _build_part(name: str, item: AtomDocument) -> Part:
    return Part(
        name,
        _choose_label(name, item),
        item.description,
        _say_part(item),
        build_label_clauses(item),
        build_value_clause(item),
        _build_verb(item),
    )


def _say_part(item: AtomDocument) -> Said | None:
    """Return the clauses of a yes/no field of a list's items: its own, or by its description."""
    if not isinstance(item, BooleanItem):
        return None
    return build_said(item.said) or derive_said(item.description.removeprefix(_WHETHER))


def _build_verb(item: AtomDocument) -> str:
    """Return what was done on a day of a list's item, "" where the brief does not say it."""
    verb = item.said if isinstance(item, ListedDateItem) else ""
    if verb and not is_verb(verb):
        raise ValueNotAllowedError(
            f"'{verb}' does not say what was done on a day: write one to three words that fit"
            " before 'on', 'before' or 'after', such as 'given' or 'filed'"
        )
    return verb


def _choose_label(name: str, document: CommonItem) -> str:
    return document.label or name.replace("_", " ")


def _encode_example(kind: ValueType, raw: Raw) -> Value:
    value = kind.encode(raw)
    if isinstance(kind, TextType) and not _has_text(kind, str(value)):
        shape = kind.pattern or kind.like or f"its pool: {', '.join(kind.pool)}"
        raise ValueNotAllowedError(
            f"the example '{value}' does not fit {shape}", "change the example"
        )
    return value


def _has_text(kind: TextType, text: str) -> bool:
    shape = find_shape(kind)
    return shape.has(text) if shape else kind.is_free or text in kind.pool


def _build_type(document: FieldDocument) -> ValueType:
    if isinstance(document, ListField):
        parts = tuple((name, _build_atom_type(item)) for name, item in document.items.items())
        for word in ("missing", "unique", "primary"):
            if any(getattr(item, word, False) for item in document.items.values()):
                raise ValueNotAllowedError(
                    f"a field of a list item cannot be {word}", f"remove '{word}' from the field"
                )
        return ListType(parts, document.size, document.empty)
    if isinstance(document, ReferenceField):
        message = f"no table '{document.to}' has its own key"
        raise TypeRuleError(
            "unknown-table", message, "name an existing table, or give the entity its key"
        )
    return _build_atom_type(document)


def _build_atom_type(
    document: AtomDocument | DateItem | EnumItem,
) -> AtomType:
    match document:
        case StringItem():
            return _build_text_type(document)
        case BooleanItem():
            return BooleanType()
        case EnumItem():
            return EnumType(document.values, document.ordered)
        case SetItem():
            return SetType(document.values, document.empty)
        case _:
            return require_valid_bounds(_build_ordered_type(document))


def _build_ordered_type(
    document: IntegerItem | NumberItem | DurationItem | DateItem | DateTimeItem,
) -> OrderedType:
    match document:
        case IntegerItem():
            return NumberType(document.min, document.max, 0, document.unit)
        case NumberItem(places=places):
            low, high = (scale_decimal(end, places) for end in (document.min, document.max))
            return NumberType(low, high, places, document.unit)
        case DurationItem():
            return DurationType(document.min, document.max)
        case DateItem() | DateTimeItem():
            widest = _MOMENTS[document.type]
            low, high = (widest.encode(end) for end in (document.min, document.max))
            return widest.with_bounds(low, high)


def require_valid_bounds(kind: Bounded) -> Bounded:
    """Return a type whose bounds are in order, and not too large to be written exactly."""
    low, high = kind.bounds
    if low > high:
        message = f"'min' ({kind.to_cell(low)}) is above 'max' ({kind.to_cell(high)})"
        raise ValueNotAllowedError(message, "lower 'min', or raise 'max'")
    if max(abs(low), abs(high)) >= 10**EXACT_DIGITS:
        raise ValueNotAllowedError(
            f"numbers with more than {EXACT_DIGITS} digits cannot be stored exactly"
        )
    return kind


def _build_text_type(document: StringItem) -> TextType:
    given = (document.pattern, document.pool, document.like, document.free_text)
    if sum(map(bool, given)) != 1:
        raise ValueNotAllowedError(
            "a string needs exactly one of 'pattern', 'pool', 'like' and 'free_text'",
            "keep or add one of them",
        )
    if document.unique and not (document.pattern or document.like):
        raise ValueNotAllowedError("'unique: true' needs 'like', or a pattern such as R[0-9]{6}")
    if document.pattern and len(read_pattern(document.pattern).alphabets) > LONGEST_TEXT:
        raise ValueNotAllowedError(f"texts of the pattern have more than {LONGEST_TEXT} characters")
    texts = (x.text if isinstance(x, FreeTextDocument) else x for x in document.free_text)
    pool, is_free = document.pool or tuple(texts), bool(document.free_text)
    return TextType(document.pattern or "", pool, is_free=is_free, like=document.like)


def build_sampling(document: FieldDocument | AtomDocument, kind: ValueType) -> Sampling:
    """Return how values of a field are drawn, whatever was drawn before.

    Raises:
        ValueNotAllowedError: weights, shares or ranges do not fit the type.
    """
    weights = getattr(document, "weights", None) or ()
    values = getattr(document, "values", ())
    if weights and len(weights) != len(values):
        raise ValueNotAllowedError(
            f"each of the {len(values)} values needs a weight, found {len(weights)}",
            "list one weight for each value, in the order of 'values'",
        )
    if weights and not sum(weights):
        raise ValueNotAllowedError("at least one weight must be above 0", "raise a weight")
    if document.missing_share and not document.missing:
        raise ValueNotAllowedError(
            "'missing_share' needs 'missing', the word that is shown for a missing value"
        )
    low, high = (0, kind.size) if isinstance(kind, ListType) else kind.bounds
    return Sampling(
        weights=weights,
        missing_share=document.missing_share,
        member_share=getattr(document, "member_share", 0),
        yes_share=getattr(document, "yes_share", 50),
        unique=getattr(document, "unique", False),
        typical=_build_typical(kind, getattr(document, "typical", None)),
        shape=require_part_weights(getattr(document, "shape", None), low, high),
        items=_build_item_samplings(document),
    )


def require_part_weights(weights: tuple[int, ...] | None, low: int, high: int) -> tuple[int, ...]:
    """Return the weights of equal parts of a range.

    Raises:
        ValueNotAllowedError: there are none above 0, or more than parts can be.
    """
    if weights is None:
        return ()
    if not 0 < len(weights) <= min(MOST_PARTS, high - low + 1) or not sum(weights):
        message = (
            f"'shape' needs 1 to {MOST_PARTS} weights, at least one of them above 0, and no more"
            " weights than the range has values"
        )
        raise ValueNotAllowedError(message)
    return weights


def _build_item_samplings(
    document: FieldDocument | AtomDocument,
) -> tuple[tuple[str, Sampling], ...]:
    if not isinstance(document, ListField):
        return ()
    parts = document.items.items()
    return tuple((name, build_sampling(item, _build_atom_type(item))) for name, item in parts)


def _build_typical(kind: ValueType, document: TypicalDocument | None) -> Typical | None:
    if document is None:
        return None
    low, high = (require_integer(kind.encode(end)) for end in (document.min, document.max))
    if low > high:
        raise ValueNotAllowedError(
            "'min' is above 'max' in 'typical'", "lower 'min', or raise 'max'"
        )
    return Typical(low, high, document.share)
