"""What changed between two JSON Schemas, and whether who fills them in breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, TypeAlias


class Impact(StrEnum):
    """What a change of an interface does to those who call it."""

    BREAKING = "breaking"
    COMPATIBLE = "compatible"
    WORDING = "wording"


Schema: TypeAlias = Mapping[str, Any]
SchemaChange: TypeAlias = tuple[Impact, str]

_LEAST = {"minimum": "least", "minLength": "least length", "minItems": "least number of entries"}
_MOST = {"maximum": "most", "maxLength": "most length", "maxItems": "most entries"}
_EXACT = {"pattern": "pattern", "format": "format", "multipleOf": "step", "uniqueItems": "sameness"}
_WORDS = ("description", "title", "examples", "example")
_READ = {"type", "enum", "properties", "required", "items", *_LEAST, *_MOST, *_EXACT, *_WORDS}


def compare_schemas(
    name: str, old: Schema, new: Schema, *, is_result: bool = False
) -> Iterator[SchemaChange]:
    """Return what changed; of a result only what it no longer has, or has of another type, breaks.

    A keyword that is not known to narrow or to widen counts as breaking.
    """
    for impact, what in _compare_keywords(name, old, new, is_result=is_result):
        yield (
            (Impact.COMPATIBLE if is_result and impact is _NARROWED else _convert_impact(impact)),
            what,
        )


class _Direction(StrEnum):
    NARROWED = "narrowed"


_NARROWED = _Direction.NARROWED
_Found: TypeAlias = Iterator[tuple[Impact | _Direction, str]]


def _convert_impact(impact: Impact | _Direction) -> Impact:
    return Impact.BREAKING if isinstance(impact, _Direction) else impact


def _compare_keywords(name: str, old: Schema, new: Schema, *, is_result: bool) -> _Found:
    if old == new:
        return
    if old.get("type") != new.get("type"):
        # Who gives whole numbers still may; who expects them in a result may get others.
        is_wider = (old.get("type"), new.get("type")) == ("integer", "number")
        message = f"{name}: type {new.get('type')} instead of {old.get('type')}"
        yield (Impact.COMPATIBLE if is_wider and not is_result else Impact.BREAKING), message
    yield from _compare_labels(name, old.get("enum"), new.get("enum"))
    yield from _compare_bounds(name, old, new)
    yield from _compare_properties(name, old, new, is_result=is_result)
    yield from _compare_keywords(
        f"{name}, its entries", old.get("items", {}), new.get("items", {}), is_result=is_result
    )
    if any(old.get(word) != new.get(word) for word in _WORDS):
        yield Impact.WORDING, f"{name}: reworded"
    for word in sorted((old.keys() | new.keys()) - _READ):
        if old.get(word) != new.get(word):
            yield _NARROWED, f"{name}: {word} changed"


def _compare_labels(name: str, old: list[Any] | None, new: list[Any] | None) -> _Found:
    if old == new:
        return
    if old is None or new is None:
        is_narrowed = old is None
        what = "only listed values are left" if is_narrowed else "values are no longer listed"
        yield (_NARROWED if is_narrowed else Impact.COMPATIBLE), f"{name}: {what}"
        return
    for label in [label for label in old if label not in new]:
        yield _NARROWED, f"{name}: the value '{label}' is gone"
    for label in [label for label in new if label not in old]:
        yield Impact.COMPATIBLE, f"{name}: the value '{label}' is new"


def _compare_bounds(name: str, old: Schema, new: Schema) -> _Found:
    for words, sign in ((_LEAST, 1), (_MOST, -1)):
        for word, phrase in words.items():
            before, after = old.get(word), new.get(word)
            if before == after:
                continue
            is_narrowed = after is not None and (before is None or sign * (after - before) > 0)
            was = "none" if before is None else before
            now = "none" if after is None else after
            direction = "narrower" if is_narrowed else "wider"
            impact = _NARROWED if is_narrowed else Impact.COMPATIBLE
            yield impact, f"{name}: {phrase} {now} instead of {was}, {direction}"
    for word, phrase in _EXACT.items():
        if old.get(word) != new.get(word):
            impact = _NARROWED if word in new else Impact.COMPATIBLE
            was, now = old.get(word, "none"), new.get(word, "none")
            yield impact, f"{name}: {phrase} {now} instead of {was}"


def _compare_properties(name: str, old: Schema, new: Schema, *, is_result: bool) -> _Found:
    before, after = old.get("properties", {}), new.get("properties", {})
    was_needed, is_needed = set(old.get("required", ())), set(new.get("required", ()))
    for part in {**after, **before}:
        subject = f"{name} {part}"
        if part not in after:
            yield Impact.BREAKING, f"{subject} no longer"
        elif part not in before:
            is_breaking = part in is_needed and not is_result
            yield (
                (Impact.BREAKING, f"{subject}, which is new and required")
                if is_breaking
                else (Impact.COMPATIBLE, f"{subject}, which is new")
            )
        else:
            yield from _compare_requirement(
                subject, is_now=part in is_needed, was=part in was_needed
            )
            yield from _compare_keywords(subject, before[part], after[part], is_result=is_result)


def _compare_requirement(subject: str, *, is_now: bool, was: bool) -> _Found:
    if is_now and not was:
        yield _NARROWED, f"{subject}: required, no longer optional"
    elif was and not is_now:
        yield Impact.COMPATIBLE, f"{subject}: optional, no longer required"
