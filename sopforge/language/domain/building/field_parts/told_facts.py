"""Facts that words alone carry: their sentences, and whether each can be read in one sense only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.field_schema import FieldDocument
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.fields import PLACE, Field, Role, ToldValue
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    OrderedType,
    TextType,
    ValueNotAllowedError,
    ValueType,
)
from sopforge.language.domain.values.unseen import describe_unfit_sign

Locate = Callable[[Field], Path]
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\{\}|\w[\w'-]*")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> split_sentences("Hello. It leaks 2.5 l a day!")
    ['Hello.', 'It leaks 2.5 l a day!']
    """
    return _SENTENCE_END.split(text.strip())


def build_told(document: FieldDocument, kind: ValueType) -> tuple[ToldValue, ...]:
    """Return the sentences that state a fact, by its values.

    Raises:
        ValueNotAllowedError: the field is no fact that words can carry, or they leave a value out.
    """
    if document.role != "told":
        if document.told:
            raise ValueNotAllowedError(
                "only a field of role told can have 'told'", "remove 'told', or set 'role: told'"
            )
        return ()
    labels = _list_told_labels(document, kind)
    told = document.told if isinstance(document.told, dict) else {"": document.told}
    lacking = [label for label in labels if not told.get(label)]
    lacking = [label for label in lacking if label != document.missing]
    unknown = [label for label in told if label not in labels]
    if lacking or unknown:
        raise ValueNotAllowedError(*_describe_wrong_keys(labels, lacking, unknown))
    for cell, sentences in told.items():
        for sentence in sentences:
            _check_sentence(sentence, is_any_value=not cell)
    return tuple(ToldValue(cell, sentences) for cell, sentences in told.items() if sentences)


def _list_told_labels(document: FieldDocument, kind: ValueType) -> list[str]:
    """Return the values that have sentences of their own; "" for all values of a type."""
    match kind:
        case EnumType(labels):
            return [*labels, *([document.missing] if document.missing else [])]
        case BooleanType():
            return [*BOOLEAN_WORDS[::-1], *([document.missing] if document.missing else [])]
        case OrderedType():
            return [""]
        case TextType(pattern=pattern) if pattern and not getattr(document, "unique", False):
            return [""]
        case _:
            raise ValueNotAllowedError(
                f"words cannot carry a {document.type} of this kind",
                "make it an enum, a yes/no field, a number, a date, a duration or a string with a"
                " pattern that is not unique; use a yes/no field for each label of a set, and"
                " state a list as an input",
            )


def _describe_wrong_keys(
    labels: list[str], lacking: list[str], unknown: list[str]
) -> tuple[str, str]:
    if labels == [""]:
        return (
            "'told' needs a list of sentences with {} for the value",
            "write, for example, told: ['We have had it for {}.']",
        )
    if unknown == [""] or not unknown:
        named = ", ".join(f"'{label}'" for label in lacking)
        return (
            f"'told' has no sentence for {named}",
            f"write told: {{{', '.join(f'{label}: [...]' for label in labels)}}}",
        )
    return (
        f"'told' has sentences for '{unknown[0]}', which is no value of the field",
        f"its values are {', '.join(labels)}",
    )


def _check_sentence(sentence: str, *, is_any_value: bool) -> None:
    slots = sentence.count(PLACE)
    reasons = {
        "does not begin with a letter, a digit or {} and end with a full stop, an exclamation"
        " mark or a question mark": not re.match(r"[\w{].*[.!?]\Z", sentence, re.DOTALL),
        "is more than one sentence": len(split_sentences(sentence)) > 1 or "\n" in sentence,
        "does not have {} once, for the value": is_any_value and slots != 1,
        "has {} although it tells one value": not is_any_value and slots > 0,
        "has a quotation mark or a brace": bool(set('"{}') & set(sentence.replace(PLACE, ""))),
        describe_unfit_sign(sentence, is_compared=False): True,
    }
    for reason, is_so in reasons.items():
        if reason and is_so:
            raise ValueNotAllowedError(f"'{sentence}' {reason}", "reword the sentence in 'told'")


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a text, and the value that it tells; one that is around tells nothing."""

    item: Field
    cell: str
    text: str
    is_around: bool = False

    @property
    def path(self) -> tuple[str, ...]:
        """Where it stands below its field."""
        return ("free_text",) if self.is_around else ("told", *filter(None, [self.cell]))

    @property
    def means(self) -> str:
        """What a reader would make of it."""
        if self.is_around:
            return f"the free text of '{self.item.name}'"
        return f"'{self.item.name}'" + (f" = {self.cell}" if self.cell else "")


def check_told(gathering: Gathering, fields: Mapping[str, Field], locate: Locate) -> None:
    """Add faults for facts that no text or two texts carry, and for sentences with two senses."""
    texts = [item for item in fields.values() if item.tells]
    for text in texts:
        _check_text(gathering, fields, text, locate)
    for item in fields.values():
        if item.role is Role.TOLD:
            _check_carried(gathering, item, texts, locate)
    said = [*_iterate_sentences(fields)]
    _check_alike(gathering, said, locate)
    _check_given_away(gathering, fields, said, locate)


def _check_text(
    gathering: Gathering, fields: Mapping[str, Field], text: Field, locate: Locate
) -> None:
    path = (*locate(text), "tells")
    told = [name for name, item in fields.items() if item.role is Role.TOLD]
    for name in (name for name in dict.fromkeys(text.tells) if name not in told):
        hint = suggest(name, told) or f"the fields of role told are {', '.join(told) or 'none'}"
        gathering.add_fault(path, "unknown-field", f"no field of role told is '{name}'", hint)
    is_free = isinstance(text.type, TextType) and text.type.is_free
    if not is_free or text.role is not Role.INPUT or text.missing:
        gathering.add_fault(
            path,
            "text-cannot-carry",
            f"'{text.name}' cannot carry facts: it must be an input with 'free_text' that no case"
            " lacks",
            "set 'role: input', list sentences that say nothing under 'free_text', and remove"
            " 'missing' or its entry under 'lacking'",
        )


def _check_carried(gathering: Gathering, item: Field, texts: list[Field], locate: Locate) -> None:
    carriers = [f"'{text.name}'" for text in texts for name in text.tells if name == item.name]
    if len(carriers) == 1:
        return
    message, hint = (
        (f"'{item.name}' is told more than once, in {' and '.join(carriers)}", "keep one of them")
        if carriers
        else (f"no text tells '{item.name}'", "name it under 'tells' of an input with 'free_text'")
    )
    gathering.add_fault(locate(item), "told-not-once", message, hint)


def _iterate_sentences(fields: Mapping[str, Field]) -> Iterator[_Said]:
    for item in fields.values():
        for value in item.told:
            yield from (_Said(item, value.cell, text) for text in value.sentences)
        if item.tells and isinstance(item.type, TextType):
            for text in item.type.pool:
                yield from (_Said(item, "", part, is_around=True) for part in split_sentences(text))


def _check_alike(gathering: Gathering, said: list[_Said], locate: Locate) -> None:
    """Add a fault for a sentence that can also be read as one which says something else."""
    shapes = [(entry, _build_shape(entry.text), _normalize(entry.text)) for entry in said]
    for place, (entry, shape, words) in enumerate(shapes):
        for other, other_shape, others in shapes[:place]:
            if entry.is_around and other.is_around:
                continue
            if shape.fullmatch(others) or other_shape.fullmatch(words):
                same = (entry.item, entry.cell) == (other.item, other.cell)
                gathering.add_fault(
                    (*locate(entry.item), *entry.path),
                    "told-words-alike",
                    f"'{entry.text}' of {entry.means} reads like '{other.text}' of {other.means}",
                    "remove one of the two" if same else "reword one of the two sentences",
                )


def _check_given_away(
    gathering: Gathering, fields: Mapping[str, Field], said: list[_Said], locate: Locate
) -> None:
    """Add a fault for a sentence with words that stand for a value which it does not state."""
    for entry in said:
        for item, cell, phrase in _iterate_phrases(fields.values()):
            if item is entry.item and (not entry.cell or _is_own(cell, phrase, entry)):
                continue
            if _has_words(entry.text, phrase):
                gathering.add_fault(
                    (*locate(entry.item), *entry.path),
                    "told-words-reveal",
                    f"'{entry.text}' of {entry.means} has the words '{phrase}', which stand for"
                    f" '{item.name}' = {cell}",
                    "reword the sentence without these words",
                )


def _is_own(cell: str, phrase: str, entry: _Said) -> bool:
    """Return whether words stand for what a sentence tells, or for a part of its label."""
    return cell == entry.cell or _has_words(entry.cell, phrase)


def _has_words(text: str, phrase: str) -> bool:
    """Return whether a text has the words of a phrase; of "A", not the article that begins it."""
    if len(phrase) == 1:
        return phrase in _WORD.findall(text)[1:]
    return f" {_normalize(phrase)} " in f" {_normalize(text)} "


def _iterate_phrases(fields: Iterable[Field]) -> Iterator[tuple[Field, str, str]]:
    """Yield the labels and clauses of told facts and of outcomes, each with its field and value."""
    for item in fields:
        if item.role not in {Role.TOLD, Role.OUTCOME}:
            continue
        if isinstance(item.type, EnumType):
            yield from ((item, label, label) for label in item.type.values)
        if item.said:
            yield from ((item, "yes", item.said.yes), (item, "no", item.said.no))
        yield from ((item, words.label, words.said.yes) for words in item.label_clauses)


def _normalize(text: str) -> str:
    """Return the words of a text in small letters, with a blank between each two."""
    return " ".join(_WORD.findall(text.lower()))


def _build_shape(sentence: str) -> re.Pattern[str]:
    """Return what reads like a sentence, whatever its value."""
    return re.compile(re.escape(_normalize(sentence)).replace(re.escape(PLACE), ".+"))
