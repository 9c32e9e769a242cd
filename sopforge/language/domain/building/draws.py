"""How fields are drawn by what was drawn before: conditions, values nearby, texts that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.fields import (
    EXACT_DIGITS,
    build_sampling,
    require_part_weights,
)
from sopforge.language.domain.documents.field_schema import (
    AtomDocument,
    FieldDocument,
    FreeTextDocument,
    GivenDocument,
    ListField,
    NearDocument,
    SameAsDocument,
    StringField,
)
from sopforge.language.domain.documents.model_schema import EntityDocument
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import Expression, collect_read_fields
from sopforge.language.domain.fields import (
    STORED,
    ConditionalSampling,
    ConditionalText,
    Entity,
    Field,
    Near,
    Sampling,
)
from sopforge.language.domain.parsing import parse_value
from sopforge.language.domain.values.likeness import list_sources
from sopforge.language.domain.values.types import (
    ListType,
    NumberType,
    TextType,
    ValueNotAllowedError,
    ValueType,
    scale_decimal,
)

Drawn: TypeAlias = FieldDocument | AtomDocument
_WIDEST = 10**EXACT_DIGITS - 1
# ``near`` reads other fields and is parsed by itself; ``when`` is no method of drawing.
_AS_EVER = ("when", "near")


@dataclass(frozen=True, slots=True)
class DrawBuilder:
    """Reads how fields depend on each other when they are drawn; faults are gathered.

    The ``last`` of a record are texts that presuppose something: they may read all its others.
    """

    reader: Reader
    entities: Mapping[str, Entity]
    fields: Mapping[str, Field]
    last: frozenset[str] = frozenset()

    def build(self, documents: Mapping[str, EntityDocument]) -> dict[str, Field]:
        """Return the fields, with how they are drawn by others."""
        return replace(self, last=_collect_last_fields(documents)).build_in_order(documents)

    def build_in_order(self, documents: Mapping[str, EntityDocument]) -> dict[str, Field]:
        """Return the fields, once it is known which are drawn last."""
        fields = dict(self.fields)
        for entity in [self.entities[name] for name in documents if name in self.entities]:
            for name in entity.fields:
                document = documents[entity.name].fields[name]
                if _depends(document):
                    path = ("entities", entity.name, "fields", name)
                    sampling = _Draw(self, entity, path, fields[name]).build_field_sampling(
                        document
                    )
                    fields[name] = replace(fields[name], sampling=sampling)
                if isinstance(document, ListField):
                    fields[name] = self.with_items(entity, fields[name], document)
        return fields

    def with_items(self, entity: Entity, item: Field, document: ListField) -> Field:
        """Return a list with how the fields of its items are drawn by what is above the list."""
        kinds = dict(item.type.fields) if isinstance(item.type, ListType) else {}
        parts = dict(item.sampling.items)
        for name, part in document.items.items():
            path: Path = ("entities", entity.name, "fields", item.name, "items", name)
            if _list_conditional_texts(part):
                message = (
                    f"'{name}' is a field of list items, so its texts cannot have conditions on"
                    " the case"
                )
                self.reader.gathering.add_fault(
                    path, "not-drawn", message, "remove 'when' from these texts"
                )
            if _depends(part):
                as_field = replace(item, type=kinds[name], sampling=parts[name])
                parts[name] = _Draw(self, entity, path, as_field).build_field_sampling(part)
        return replace(item, sampling=replace(item.sampling, items=tuple(parts.items())))

    def list_fields_before(self, entity: Entity, name: str) -> list[str]:
        """Return the fields drawn before one: those above it, and those of the records it leads to.

        Keys are not among them: what they lead to is.
        """
        keys = {other.key for other in self.entities.values()} | self.last
        is_last = name in self.last
        known = list(entity.fields if is_last else entity.fields[: entity.fields.index(name)])
        for other in self.entities.values():
            if other.key in entity.fields and other is not entity:
                known += [*self.list_fields_before(other, other.fields[-1]), other.fields[-1]]
        stored = (one for one in known if self.fields[one].role in STORED)
        return [one for one in dict.fromkeys(stored) if one not in keys]


@dataclass(frozen=True, slots=True)
class _Draw:
    """Reads how one field is drawn."""

    builder: DrawBuilder
    entity: Entity
    path: Path
    item: Field

    def build_field_sampling(self, document: Drawn) -> Sampling:
        # What leads to a table is a reference that a case may lack, by what it states.
        keys = {entity.key for entity in self.builder.entities.values() if not entity.table}
        if self.item.role not in STORED or self.item.name in keys:
            what = "a key" if self.item.name in keys else f"of role {self.item.role}"
            message = (
                f"'{self.item.name}' is {what}, so its values cannot depend on fields before it"
            )
            hint = "remove 'given', 'near', 'of', 'same_as' and the 'when' of its texts"
            self.add_fault(self.path, "not-drawn", message, hint)
            return self.item.sampling
        texts = self.build_texts(document)
        given = (
            self.build_conditional_sampling(place, document, part, texts)
            for place, part in enumerate(document.given)
        )
        return replace(
            self.item.sampling,
            texts=texts,
            of=self.find_source(getattr(document, "of", None)),
            same_as=self.find_equal_text(get_same_as(document)),
            near=self.build_near(self.path, getattr(document, "near", None)),
            given=tuple(part for part in given if part is not None),
        )

    def build_texts(self, document: Drawn) -> tuple[ConditionalText, ...]:
        """Return the texts that presuppose something, each with its condition."""
        found = []
        for place, part in _list_conditional_texts(document):
            path = (*self.path, "free_text", place, "when")
            when = self.builder.reader.read_condition(path, part.when)
            if when is not None and self.is_before(path, when):
                found.append(ConditionalText(when, part.text))
        if found and len(found) == len(getattr(document, "free_text", ())):
            message = f"every text of '{self.item.name}' has a condition on the record"
            hint = "add a text without 'when' for records that meet none of the conditions"
            self.add_fault((*self.path, "free_text"), "no-plain-text", message, hint)
        return tuple(found)

    def build_conditional_sampling(
        self,
        place: int,
        document: Drawn,
        part: GivenDocument,
        texts: tuple[ConditionalText, ...],
    ) -> ConditionalSampling | None:
        path = (*self.path, "given", place)
        when = self.builder.reader.read_condition((*path, "when"), part.when)
        guarded = self.builder.reader.gathering.try_build
        sampling = guarded(path, partial(_change_sampling, document, part, self.item.type))
        if when is None or sampling is None or not self.is_before((*path, "when"), when):
            return None
        near = part.near or getattr(document, "near", None)
        own = replace(sampling, near=self.build_near(path, near), texts=texts)
        return ConditionalSampling(when, own)

    def build_near(self, path: Path, document: NearDocument | None) -> Near | None:
        if document is None:
            return None
        guarded = self.builder.reader.gathering.try_build
        near = guarded((*path, "near"), partial(self.read_near, document))
        return near if near and self.is_before((*path, "near"), near.value) else None

    def read_near(self, document: NearDocument) -> Near:
        kind = self.item.type
        # The value itself may lie beyond the field's range, where what is drawn is cut off.
        value = parse_value(document.of, self.builder.reader.scope, widen_type(kind))
        places = kind.places if isinstance(kind, NumberType) else 0
        low, high = scale_decimal(document.from_, places), scale_decimal(document.to, places)
        if low > high:
            raise ValueNotAllowedError(
                "'from' is above 'to' in 'near'; write the smaller number first"
            )
        if max(abs(low), abs(high)) > _WIDEST:
            raise ValueNotAllowedError(
                f"'from' or 'to' in 'near' has more than {EXACT_DIGITS} digits"
            )
        weights = require_part_weights(document.shape, low, high)
        return Near(value, low, high, weights, document.share)

    def find_source(self, name: str | None) -> str:
        """Return the text that a text follows from, nothing where that cannot be."""
        if name is None:
            return ""
        path, before = (
            (*self.path, "of"),
            self.builder.list_fields_before(self.entity, self.item.name),
        )
        sources = list_sources(self.item.type.like) if isinstance(self.item.type, TextType) else ()
        fields = [self.builder.fields[one] for one in before if one in self.entity.fields]
        fitting = [
            one.name
            for one in fields
            if isinstance(one.type, TextType) and one.type.like in sources and not one.missing
        ]
        if name in fitting and not self.item.sampling.unique:
            return name
        message = f"'{self.item.name}' cannot be made from '{name}'"
        hint = _follow_hint(fitting, self.item)
        self.add_fault(path, "cannot-follow", message, hint)
        return ""

    def find_equal_text(self, document: SameAsDocument | None) -> tuple[str, int] | None:
        """Return the text that a text equals in a share of the rows, None where that cannot be."""
        if document is None:
            return None
        fitting = self.list_equal_texts()
        source = self.builder.reader.scope.paths.get(document.of, document.of)
        if source in fitting and not self.item.sampling.unique:
            return source, document.share
        message = f"'{self.item.name}' cannot equal '{document.of}'"
        hint = "remove 'unique', because two records may then have the same text"
        if not self.item.sampling.unique:
            written = {name: path for path, name in self.builder.reader.scope.paths.items()}
            listed = ", ".join(written.get(name, name) for name in fitting)
            what = (
                "a text field above it with the same pattern, pool or likeness, or such a field"
                " of a record that"
            )
            hint = f"it can equal {listed}" if listed else f"name {what} it refers to"
        self.add_fault((*self.path, "same_as"), "cannot-equal", message, hint)
        return None

    def list_equal_texts(self) -> list[str]:
        """Return the texts of the same kind that are drawn before, keys among them."""
        above = self.entity.fields[: self.entity.fields.index(self.item.name)]
        before = [*self.builder.list_fields_before(self.entity, self.item.name), *above]
        fields = [self.builder.fields[name] for name in dict.fromkeys(before)]
        is_compared = isinstance(self.item.type, TextType) and not self.item.type.is_free
        return [
            one.name
            for one in fields
            if is_compared and one.type == self.item.type and one.role in STORED
        ]

    def is_before(self, path: Path, expression: Expression) -> bool:
        before = self.builder.list_fields_before(self.entity, self.item.name)
        late = [name for name in sorted(collect_read_fields(expression)) if name not in before]
        for name in late[:1]:
            message = f"the values of '{self.item.name}' depend on '{name}', which is drawn later"
            hint = (
                f"use a field that is drawn before it: {', '.join(before)}"
                if before
                else "remove the expression, because no field is drawn before this one"
            )
            self.add_fault(path, "drawn-later", message, hint)
        return not late

    def add_fault(self, path: Path, code: str, message: str, hint: str) -> None:
        self.builder.reader.gathering.add_fault(path, code, message, hint)


def _depends(document: Drawn) -> bool:
    keys = (*(getattr(document, key, None) for key in ("near", "of")), get_same_as(document))
    return bool(document.given) or any(keys) or bool(_list_conditional_texts(document))


def _collect_last_fields(documents: Mapping[str, EntityDocument]) -> frozenset[str]:
    return frozenset(
        name
        for entity in documents.values()
        for name, document in entity.fields.items()
        if _list_conditional_texts(document)
    )


def _list_conditional_texts(document: Drawn) -> list[tuple[int, FreeTextDocument]]:
    """Return the texts that presuppose something, with their places in the document."""
    texts = enumerate(getattr(document, "free_text", ()))
    return [(place, item) for place, item in texts if isinstance(item, FreeTextDocument)]


def get_same_as(document: Drawn) -> SameAsDocument | None:
    """Return the text that a text is the same as; a reference is placed, and not drawn."""
    return document.same_as if isinstance(document, StringField) else None


def _change_sampling(document: Drawn, part: GivenDocument, kind: ValueType) -> Sampling:
    said = {key: value for key, value in part if value is not None and key not in _AS_EVER}
    allowed = type(document).model_fields
    for key in (*said, *(["near"] if part.near else [])):
        if key not in allowed:
            raise ValueNotAllowedError(f"a field of type {document.type} has no '{key}'")
    return build_sampling(document.model_copy(update=said), kind)


def widen_type(kind: ValueType) -> ValueType:
    """Return the type of the values that may lie near those of a type, for they are cut off."""
    if isinstance(kind, NumberType):
        return kind.with_bounds(-_WIDEST, _WIDEST)
    return kind.widen()


def _follow_hint(fitting: Iterable[str], item: Field) -> str:
    if item.sampling.unique:
        return "remove 'unique', because two persons with the same name have the same address"
    listed = ", ".join(fitting)
    what = (
        "a text field above it in the same entity that is never missing, such as the person"
        " name for an email address"
    )
    return f"use {listed}" if listed else f"use {what}"
