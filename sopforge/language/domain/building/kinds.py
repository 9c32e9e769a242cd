"""Kinds of cases: what the brief says of them, written as words and draws of their fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.field_schema import FieldDocument, GivenDocument
from sopforge.language.domain.documents.model_schema import (
    EntityDocument,
    KindDocument,
    ModelDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.kinds import Kind

_STORED, _DECIDED = ("input", "observed"), ("derived", "outcome")


def write_kinds(gathering: Gathering, parts: ModelDocument) -> ModelDocument:
    """Return a model's parts in which the fields of each kind have a word for other cases."""
    found = len(gathering.faults)
    for name, kind in parts.kinds.items():
        _check_kind(gathering, parts, name, kind)
    if not parts.kinds or len(gathering.faults) > found:
        return parts
    entity, case = next(iter(parts.entities.items()))
    fields = dict(case.fields)
    for kind in parts.kinds.values():
        fields |= {name: _write_field(fields[name], kind) for name in kind.fields}
    whole = case.model_copy(update={"fields": fields})
    return parts.model_copy(update={"entities": {**parts.entities, entity: whole}})


def _write_field(item: FieldDocument, kind: KindDocument) -> FieldDocument:
    if item.role == "derived":
        return item  # nobody asks for it where no step decides it
    changed: dict[str, object] = {"missing": item.missing or kind.missing}
    if item.role in _STORED:
        absent = GivenDocument(when=f"not ({kind.when})", missing_share=100)
        changed["given"] = (absent, *item.given)
    return item.model_copy(update=changed)


def build_kinds(reader: Reader, parts: ModelDocument) -> Iterable[Kind]:
    """Yield the kinds whose conditions read nothing but inputs that every case states."""
    case = next(iter(parts.entities.values()))
    own = {name for kind in parts.kinds.values() for name in kind.fields}
    stated = [
        name
        for name, item in case.fields.items()
        if item.role == "input"
        and not (item.missing or getattr(item, "malformed", None) or name in own)
    ]
    for name, kind in parts.kinds.items():
        path: Path = ("kinds", name, "when")
        when = reader.read_condition(path, kind.when)
        wrong = [] if when is None else sorted(collect_read_fields(when) - {*stated})
        if wrong:
            message = f"the condition reads '{wrong[0]}', which is no input that every case states"
            hint = f"use only {', '.join(stated)}"
            reader.gathering.add_fault(path, "kind-condition", message, hint)
        elif when is not None:
            yield Kind(name, kind.title, when, kind.fields, kind.missing)


def _check_kind(gathering: Gathering, parts: ModelDocument, name: str, kind: KindDocument) -> None:
    """Add a fault for each field of a kind that not only this kind can have."""
    case = next(iter(parts.entities.values()))
    times = Counter(field for other in parts.kinds.values() for field in other.fields)
    for place, field in enumerate(kind.fields):
        path: Path = ("kinds", name, "fields", place)
        if not gathering.is_listed_name(path, field, case.fields, "field"):
            continue
        reason, hint = _describe_fault(parts, case, field, kind)
        if times[field] > 1:
            reason, hint = "is listed more than once under 'kinds'", "list it once"
        if reason:
            gathering.add_fault(path, "kind-field", f"'{field}' {reason}", hint)


def _describe_fault(
    parts: ModelDocument, case: EntityDocument, name: str, kind: KindDocument
) -> tuple[str, str]:
    """Return why a field cannot belong to one kind alone, and what to do, "" where it can."""
    item, leave = case.fields[name], "remove it from the kind's 'fields'"
    if name == case.key or item.role not in (*_STORED, *_DECIDED):
        what = "the key" if name == case.key else f"of role {item.role}"
        return f"is {what}, so it cannot belong to one kind of case", leave
    if item.primary:
        return "is the primary outcome, which every case answers", leave
    if getattr(item, "malformed", None):
        return "may be malformed, so it cannot be absent as well", f"{leave}, or remove 'malformed'"
    if parts.incomplete and name in (*parts.incomplete.lacking, *parts.incomplete.contradicting):
        return "is listed under 'incomplete', which looks for it in every case", leave
    if item.missing == kind.missing:
        return (
            f"has the word '{item.missing}', which stands for cases of other kinds",
            "choose another word for its 'missing', or for that of the kind",
        )
    return "", ""
