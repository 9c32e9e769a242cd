"""The words of one domain: what its fields, labels, units and clauses are called in sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from sopforge.language.domain.expressions.calendars import MINUTES_AN_HOUR
from sopforge.language.domain.fields import Field
from sopforge.language.domain.references import find_reference, name_record
from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES, read_duration
from sopforge.language.domain.values.types import (
    NumberType,
)
from sopforge.language.english.forms import CLAUSES, OF_TIMES
from sopforge.language.english.nouns import (
    PERCENT,
    format_quantity,
    is_percent,
    is_plural,
    list_unit_forms,
    name_office,
)
from sopforge.language.english.phrases import Tokens, split_words
from sopforge.language.english.sources import NotReadError, Rules
from sopforge.language.english.terms import (
    LITERALS,
    OF_ONE_ENTRY,
    OPPOSITES,
    ROUNDED,
    Term,
    find_lists,
    walk_term,
)
from sopforge.language.english.vocabulary import NOTHING, Further, Vocabulary

_SORTS_OF_TYPES = ("number", "day", "time", "label", "answer", "text", "set", "list")
_KINDS_OF_HEADS = {
    "day": "day", "later": "day", "earlier": "day", "add_days": "day", "add_months": "day",
    "add_workdays": "day",
    "add_minutes": "time", "add_hours": "time", "add_full_days": "time",
    "date_of": "day", "weekday_of": "label", "time": "time", "label": "label",
    "labels": "set", "|": "set", "&": "set",
    "without": "set", "select": "list",
}  # fmt: skip
_SPANS = {
    "ndays": "days", "nminutes": "minutes", "nworkdays": "working days", "nmonths": "months",
    "nyears": "years", "nhours": HOURS_AND_MINUTES, "percent": PERCENT,
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_LONG_SUM, _CASES = 5, 2
_OFTEN = {"1": "once", "2": "twice"}
_SCOPES = {
    "case": "in the whole case",
    "part": "each time this section is carried out",
    "visit": "each time the case enters this loop",
}
"""Over what a step counts how often it was repeated; anew with each use of a part, or visit."""
_DECIMAL_PLACES = {("decimal", "place"), ("decimal", "places")}
_STEP = re.compile(r"\{step (\w+)\}")
_PART = re.compile(r"\d+\.\d+")


class Lexicon(Vocabulary):
    """Words for the leaves of terms, and of which sort terms are."""

    def __init__(self, fields: Mapping[str, Field], further: Further = NOTHING) -> None:
        super().__init__(fields, further)
        self._tests: Mapping[str, Callable[[Any], bool]] = {
            **{kind: partial(self._is_of_kind, kind) for kind in _SORTS_OF_TYPES},
            "amount": lambda x: (
                x[0] not in LITERALS and self.find_kind(x) == "number" and not self._is_degree(x)
            ),
            "degree": self._is_degree,
            "year": self._is_year,
            "literal": lambda x: x[0] in LITERALS,
            "stated": lambda x: x[0] in {"field", "part", "day"} and self.find_kind(x) == "day",
            "comparable": lambda x: self.find_kind(x) in {"label", "text", "answer", "set"},
            "unknown": lambda x: x[0] not in LITERALS,
            "percentage": lambda x: (
                is_percent(self.forms.find_unit(x)) and x[0] in {"field", "part"}
            ),
            # "The price plus 5 percent" adds a share of the price.
            "unrelated": lambda x: x[0] != "number" or not is_percent(x[2]),
            "dayofcase": lambda x: x[0] != "part" and self.find_kind(x) == "day",
            "timeofcase": lambda x: x[0] != "part" and self.find_kind(x) == "time",
            "many": lambda x: x != "1",
            "plain": lambda x: not find_joints(x),
            "figured": lambda x: all(part[0] != "limit" for part in walk_term(x)),
            "single": lambda x: x[0] not in {"and", "or"},
            "noor": lambda x: "or" not in find_joints(x),
            "noand": lambda x: "and" not in find_joints(x),
            "condition": self.is_condition,
            "listed": lambda x: self.find_kind(x) in {"set", "list"},
            "brief": self.is_brief,
        }

    def count_learned(self) -> int:
        """Return of how much the meaning is known; with words for more, it grows."""
        return len(self.sources) + len(self._units)

    # what leaves mean

    def read(self, kind: str, words: Tokens) -> Iterable[Any]:
        """Return what words of a kind mean without further phrases."""
        yield from self._meant.get((kind, words), ())
        first, *rest = words
        yield from self._read_figure(kind, first, tuple(rest))
        if not rest:
            yield from _read_word(kind, first)
        match kind:
            case "source" if words in self.sources:
                yield self.sources[words]
            case "times":
                yield from _find_times(words)
            case "office":
                yield " ".join(rest if first == "the" else words)
            case "part" if first == "section" and len(rest) == 1 and _PART.fullmatch(rest[0]):
                yield rest[0]
            case "record":
                yield from self._find_records(words)
            case "places" if words == ("a", "whole", "number"):
                yield "0"

    def _read_figure(self, kind: str, figure: str, unit: Tokens) -> Iterator[Any]:  # noqa: C901 - one case per kind
        """Yield what a figure means together with the words of its unit."""
        known = self._units.get(unit)
        match kind:
            case "literal" | "figure":
                minutes = read_duration(" ".join((figure, *unit)))
                is_free = known is None and not self.forms.counts_hours
                is_said = self.forms.has_durations or (is_free and _is_in_hours(unit))
                if is_said and minutes is not None:
                    yield ("number", str(minutes), HOURS_AND_MINUTES, "")
                elif _NUMBER.fullmatch(figure) and known is not None:
                    yield ("number", figure, self.forms.name_unit(known), "")
            case "places" if figure.isdigit() and unit in _DECIMAL_PLACES:
                yield figure
            case "percent" if unit == ("percent",) and _NUMBER.fullmatch(figure):
                yield ("number", figure, PERCENT, "")
            case "nhours" if _is_in_hours(unit):
                minutes = read_duration(" ".join((figure, *unit)))
                if minutes is not None and minutes >= MINUTES_AN_HOUR:
                    yield str(minutes)
            case _ if kind in _SPANS and figure.isdigit() and known == _SPANS[kind]:
                yield figure

    def say(self, kind: str, meant: Any) -> Iterable[str]:  # noqa: ANN401 - a term or a text
        """Return words of a kind for a leaf, the best first."""
        yield from self._words.get((kind, meant), ())
        if isinstance(meant, str):
            yield from self._say_text(kind, meant)
        elif kind == "source":
            yield from self._write_source(meant)
        else:
            yield from self._say_term(kind, meant)

    def _say_text(self, kind: str, text: str) -> Iterator[str]:
        """Yield words of a kind for a text."""
        match kind:
            case "letter" | "count" | "word":
                yield text
            case "quoted":
                yield f'"{text}"'
            case "office":
                yield name_office(text)
            case "part":
                yield f"section {text}"
            case "record":
                yield find_record(text, self.fields)
            case "places":
                yield "a whole number" if text == "0" else format_quantity(text, "decimal places")
            case _:
                if kind in _SPANS:
                    yield format_quantity(text, _SPANS[kind])

    def _say_term(self, kind: str, term: Term) -> Iterator[str]:
        """Yield words of a kind for a term that is a leaf."""
        match kind, term:
            case ("noun", ("letter", text)) | (("literal" | "day"), (("day" | "time"), text, _)):
                yield text
            case "literal", ("label", text):
                yield f'"{text}"'
            case (("literal" | "figure"), ("number", figure, unit, _)):
                for form in list_unit_forms(unit) if unit else ():
                    self._units.setdefault(split_words(form), unit)
                yield format_quantity(figure, unit)
            case "times", ("times", count, scope):
                yield f"{_OFTEN.get(count, f'{count} times')} {_SCOPES[scope]}"
            case "step", ("step", name):
                yield f"{{step {name}}}"
            case "percent", ("number", figure, _, _):
                yield f"{figure} percent"
            case _:
                pass

    def _write_source(self, term: Term) -> Iterator[str]:
        """Yield a term in the rule language, which is read as what it was written for."""
        if not find_lists(term):
            with suppress(NotReadError):
                words = f"`{Rules().write(term)}`"
                self.sources[split_words(words)] = term
                yield words

    def _find_records(self, words: Tokens) -> Iterator[str]:
        for name, item in self.fields.items():
            entity = name_record(name)
            if split_words(item.label) == words and find_reference(entity, self.fields):
                yield entity
        if len(words) == 1:
            yield words[0]

    # what terms are

    def has(self, test: str, term: Any) -> bool:  # noqa: ANN401 - a term or a text
        """Return whether a term is of the sort that a gap asks for, if it asks for one."""
        return not test or self._tests[test](term)

    def find_kind(self, term: Term) -> str:  # noqa: PLR0911 - one case per head
        """Return what a term is: a number, a day, a set, a condition and so on."""
        known = self.forms.find_type(term)
        if known is not None:
            return known.sort
        match term:
            case ("table", _, ("entry", _, value), *_) | (("min" | "max" | "amended"), value, *_):
                return self.find_kind(value)
            case (head, _, value, _) if head == "if" or head in OF_ONE_ENTRY:
                return self.find_kind(value)
            case ("limit", name):
                return self.find_kind(self.forms.limits[name])
            case (("later" | "earlier"), _, _, unit) if unit in OF_TIMES:
                return "time"
            case (head, *_) if head in _KINDS_OF_HEADS:
                return _KINDS_OF_HEADS[head]
        return "condition" if self.is_condition(term) else "number"

    def is_condition(self, term: Any) -> bool:  # noqa: ANN401 - a term, a text or None
        """Return whether a term is a condition, other than a yes/no field."""
        return isinstance(term, tuple) and term[0] in _CONDITIONS

    def is_brief(self, term: Term) -> bool:
        """Return whether a value is said as well in a line as in a list."""
        inner = term
        while inner[0] in {"min", "max", *ROUNDED} and isinstance(inner[1], tuple):
            inner = inner[1]
        summands = self.forms.unmake("total", inner) or ()
        cases = self.forms.unmake("ladder", term) or ()
        is_mixed = any(x[0] in CLAUSES for x in summands)
        has_list = any(not self.is_brief(case[2]) for case in cases)
        if self.forms.unmake("let", term):
            return False
        return len(summands) < _LONG_SUM and not is_mixed and len(cases) <= _CASES and not has_list

    def is_plural(self, term: Term) -> bool:
        """Return whether "are" stands after the words for a term."""
        label = self.forms.find_label(term)
        return is_plural(label) if label else term[0] in {"|", "&", "without", "labels"}

    def _is_of_kind(self, kind: str, term: Term) -> bool:
        return self.find_kind(term) == kind

    def _is_degree(self, term: Term) -> bool:
        return self.forms.find_unit(term).startswith("°")

    def _is_year(self, term: Term) -> bool:
        kind, label = self.forms.find_type(term), self.forms.find_label(term)
        is_whole = isinstance(kind, NumberType) and not kind.places and not kind.unit
        return is_whole and (f"{label} ".startswith("year ") or label.endswith(" year"))


_CONDITIONS = frozenset({
    *OPPOSITES, "counts", "and", "or", "not", "one_of", "includes", "includes_all", "includes_any",
    "among", "within", "given", "recorded", "well_formed", "some", "all",
})  # fmt: skip


def _read_word(kind: str, word: str) -> Iterator[Any]:
    """Yield what one word alone means as a leaf of a kind."""
    match kind:
        case "letter" | "noun" if len(word) == 1 and word.isupper():
            yield word if kind == "letter" else ("letter", word)
        case "quoted" | "literal" if word[0] == '"':
            yield word[1:-1] if kind == "quoted" else ("label", word[1:-1])
        case "literal" if _TIME.fullmatch(word):
            yield ("time", word, "")
        case "literal" | "day" if _DAY.fullmatch(word):
            yield ("day", word, "")
        case "count" if _NUMBER.fullmatch(word):
            yield word
        case "word" if word[0].isalpha():
            yield word
        case "step" if found := _STEP.fullmatch(word):
            yield ("step", found[1])


def _is_in_hours(unit: Tokens) -> bool:
    """Return whether words after a figure say that it counts hours, and perhaps minutes."""
    return unit[:1] in {("hour",), ("hours",)}


def _find_times(words: Tokens) -> Iterator[Term]:
    """Yield how often "twice in the whole case" or "3 times in the whole case" is."""
    for scope, after in _SCOPES.items():
        said, rest = words[: -len(after.split())], words[-len(after.split()) :]
        if rest == tuple(after.split()):
            often = {word: count for count, word in _OFTEN.items()}
            if len(said) == 1 and said[0] in often:
                yield ("times", often[said[0]], scope)
            elif len(said) == 2 and said[0].isdigit() and said[1] == "times":  # noqa: PLR2004 - a figure, its word
                yield ("times", said[0], scope)


def find_joints(term: Term) -> set[str]:
    """Return the words that join things in the words of a condition."""
    found = {
        "and": {"and", "includes_all"},
        "or": {"or", "one_of", "includes_any"},
    }
    heads = {part[0] for part in walk_term(term)}
    return {word for word, known in found.items() if heads & known}


def find_record(entity: str, fields: Mapping[str, Field]) -> str:
    """Return what a record that a case may lack is called."""
    reference = find_reference(entity, fields)
    return reference.label if reference else entity
