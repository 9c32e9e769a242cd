"""The words of one domain: what its fields, labels, units and clauses are called in sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sopforge.language.domain.fields import Field, Part, Role, Said
from sopforge.language.domain.references import find_reference, name_record
from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES, read_duration
from sopforge.language.domain.values.types import (
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
)
from sopforge.language.english.forms import CLAUSES, Forms
from sopforge.language.english.nouns import (
    PERCENT,
    add_article,
    format_quantity,
    is_percent,
    is_plural,
    list_unit_forms,
    name_office,
    names_unit,
    singularize,
)
from sopforge.language.english.phrases import Phrase, Tokens, split_words
from sopforge.language.english.sources import NotReadError, Rules
from sopforge.language.english.table import build_table
from sopforge.language.english.terms import LITERALS, OPPOSITES, Term, find_lists, walk_term
from sopforge.morphology import is_adjective, is_modifier, pluralize_verb

_SORTS_OF_TYPES = ("number", "day", "time", "label", "answer", "text", "set", "list")
_KINDS_OF_HEADS = {
    "day": "day", "later": "day", "earlier": "day", "add_days": "day", "add_months": "day",
    "date_of": "day", "weekday_of": "label", "time": "time", "label": "label",
    "labels": "set", "|": "set", "&": "set",
    "without": "set", "select": "list",
}  # fmt: skip
_SPANS = {
    "ndays": "days", "nminutes": "minutes", "nworkdays": "working days", "nmonths": "months",
    "nyears": "years", "percent": PERCENT,
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_SORTS = frozenset({"kind", "type", "class", "category", "grade", "sort"})
_NO_UNITS = ("days", "minutes", "working days", "months", "years")
_CLAUSE = re.compile(
    r"(?P<subject>it|(?:the|an?) .+?) (?P<verb>is|are|was|were|has|have|had|does|do|did|may|can"
    r"|cannot|must|needs?|\w+ed|\w+s) (?P<rest>.+)"
)
_BIRTH = re.compile(r"(?:date of birth|birth date|day of birth)(?P<whose>.*)")
_EVENT = re.compile(
    r"(?P<what>end|expiry|start|beginning)(?: date)? of (?:the |an? )?(?P<of>[^()]+)"
    r"|(?P<thing>[^()]+) (?P<that>end|expiry|start) date"
)
_HAPPENS = {
    "end": "ends/end",
    "expiry": "expires/expire",
    "start": "starts/start",
    "beginning": "begins/begin",
}
_LONG_SUM, _CASES = 5, 2
_OFTEN = {"1": "once", "2": "twice"}
_SCOPES = {"case": "in the whole case", "part": "each time this section is carried out"}
"""Where a step counts how often it was repeated: over a case, or anew with each use of a part."""
_DECIMAL_PLACES = {("decimal", "place"), ("decimal", "places")}
_STEP = re.compile(r"\{step (\w+)\}")
_PART = re.compile(r"\d+\.\d+")
_OF_NUMBER = re.compile(r"\b([a-z]+)/([a-z]+)\b")
"""A verb in a phrase, of one thing and of several."""
_BEFORE = re.compile(r" (?:already|meanwhile)\b| (?:before|earlier|previously)$")
"""What is true of something that was done at an earlier time."""
_SAID_OF_VALUES = (
    "stated declared given known named recorded reported measured determined specified"
)


@dataclass(frozen=True)
class Further:
    """What a text names besides fields.

    ``facts`` are the clauses of conditions that it defines, ``limits`` the values of those that it
    states elsewhere and calls by what they mean, ``units`` those of constants, and ``phrases``
    those that no other text has, by kind, words and tree.
    """

    facts: Mapping[str, Said] = field(default_factory=dict)
    phrases: tuple[tuple[str, str, str], ...] = ()
    limits: Mapping[str, Term] = field(default_factory=dict)
    units: frozenset[str] = frozenset()


NOTHING = Further()
LIMITS_SECTION = "Limits and amounts"
_NO_NAME = re.compile(
    r"(?:how|when|where|whether|if|what|who|which|from|until|up|at|in|on|of|for|no|not|after|before"
    r"|above|below|over|under|more|less|fewer|as|to|by|with|without|so|every|each|any|all)\b",
    re.IGNORECASE,
)
"""First words of meanings that do not name a thing, so that "the" cannot stand before them."""


def is_noun(name: str) -> bool:
    """Return whether "the" can stand before what a limit is called."""
    return _NO_NAME.match(name) is None


def call_limit(name: str) -> str:
    """Return a limit as a sentence names it, with the section that has its figure."""
    called = f"the {name}" if is_noun(name) else f'the figure for "{name}"'
    return f"{called} (see {{number of section {LIMITS_SECTION}}})"


class Lexicon:
    """Words for the leaves of terms, and the phrases that only this domain has."""

    def __init__(self, fields: Mapping[str, Field], further: Further = NOTHING) -> None:
        self.fields = fields
        self.forms = Forms(fields, further.facts, further.limits)
        self.phrases: dict[str, list[Phrase]] = build_table()
        self.sources: dict[Tokens, Term] = {}
        self._meant: dict[tuple[str, Tokens], list[Any]] = {}
        self._words: dict[tuple[str, Any], list[str]] = {}
        self._units = dict(self._iterate_units(further.units))
        for item in fields.values():
            self._add_field(item)
        for name, said in further.facts.items():
            self._add_clauses(said, ("field", name))
            self._add("definiendum", said.yes, ("field", name))
        for name in further.limits:
            self._add("literal", call_limit(name), ("limit", name))
        self._add_subjects()
        for row in further.phrases:
            self._add_phrase(*row)
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

    def _read_figure(self, kind: str, figure: str, unit: Tokens) -> Iterator[Any]:
        """Yield what a figure means together with the words of its unit."""
        known = self._units.get(unit)
        match kind:
            case "literal" | "figure":
                minutes = read_duration(" ".join((figure, *unit)))
                if self.forms.has_durations and minutes is not None:
                    yield ("number", str(minutes), HOURS_AND_MINUTES, "")
                elif _NUMBER.fullmatch(figure) and known is not None:
                    yield ("number", figure, self.forms.name_unit(known), "")
            case "places" if figure.isdigit() and unit in _DECIMAL_PLACES:
                yield figure
            case "percent" if unit == ("percent",) and _NUMBER.fullmatch(figure):
                yield ("number", figure, PERCENT, "")
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

    def _add(self, kind: str, words: str, meant: Any) -> None:  # noqa: ANN401 - a term or a text
        found = self._meant.setdefault((kind, split_words(words)), [])
        if meant not in found:
            found.append(meant)
        self._words.setdefault((kind, meant), []).append(words)

    def _add_phrase(self, kind: str, words: str, tree: str) -> None:
        # What a domain says in its own words goes before what all say.
        self.phrases[kind] = [Phrase(kind, words, tree), *self.phrases.get(kind, ())]

    # what the domain gives words for

    def _iterate_units(self, further: Iterable[str]) -> Iterator[tuple[Tokens, str]]:
        yield (), ""
        kinds = [item.type for item in self.fields.values()]
        parts = [part for kind in kinds if isinstance(kind, ListType) for _, part in kind.fields]
        units = {kind.unit for kind in (*kinds, *parts) if isinstance(kind, NumberType)}
        units.update(further)
        for unit in (*_NO_UNITS, *sorted(units)):
            for form in list_unit_forms(unit) if unit else ():
                yield split_words(form), PERCENT if is_percent(unit) else unit
        for form in list_unit_forms(PERCENT):
            yield split_words(form), PERCENT

    def _add_field(self, item: Field) -> None:
        term: Term = ("field", item.name)
        self._add_names(item, term)
        self._add_targets(item, term)
        self._add_clauses(item.said, term)
        for label in item.label_clauses:
            self._add_clauses(label.said, ("==", term, ("label", label.label)))
        self._add_answers(item, term)
        self._add_absence(item, term)
        if clause := item.amount_clause:
            # "the minimum age old" reads badly.
            gap = "{p:limit.figured}" if clause.after else "{p:limit}"
            for said in (gap, "{p:exact}"):
                words = " ".join(filter(None, (clause.before, said, clause.after)))
                self._add_phrase("fact", words, f"p[field({item.name!r})]")
        for part in item.parts:
            self._add_part(item, part)
        if isinstance(item.type, ListType):
            for name, _ in item.type.fields:
                self._add_part_names(item, name)
        self._add_events(item)

    def _add_names(self, item: Field, term: Term) -> None:
        named = f"the {item.label}"
        for kind in ("noun", "name"):
            self._add(kind, named, term)
            self._add(kind, f"{named} ({item.name})", term)
        single = singularize(item.label)
        if isinstance(item.type, ListType):
            for words in (named, f"{named} ({item.name})"):
                self._add("listfield", words, item.name)
            if single:
                self._add("listname", item.label, item.name)
                self._add("item", single, item.name)
                self._add("anitem", add_article(single).replace("an other ", "another "), item.name)
        elif isinstance(item.type, SetType) and single:
            self._add("setname", item.label, term)
            self._add("setitem", single, term)
        counted = item.label.removeprefix("number of ")
        is_whole = isinstance(item.type, NumberType) and not item.type.places
        one = singularize(counted) if is_whole and counted != item.label else ""
        if one and counted.split()[-1] not in _NO_UNITS:
            self._add("counted", counted, term)
            self._add("onecounted", one, term)

    def _add_targets(self, item: Field, term: Term) -> None:
        """Add what a field is called where it is decided: with its name, if that differs."""
        is_plain = item.label == item.name.replace("_", " ")
        asked = f"the {item.label}" if is_plain else f"the {item.label} ({item.name})"
        unit = item.type.unit if isinstance(item.type, NumberType) else ""
        of = f", in {unit}" if unit and not names_unit(item.label, unit) else ""
        for kind, words in (
            ("asked", asked),
            ("askedof", f"{asked}{of}"),
            ("askedin", f"{asked}{of}," if of else asked),
            ("subject", f"the {item.label}{of}," if of else f"the {item.label}"),
            ("titled", f"the {item.label}{of}"),
            (
                "pair",
                f"whether {item.said.yes} ({item.name})" if item.said else asked,
            ),
            ("label", item.label),
        ):
            self._add(kind, words, term)
        if item.said is not None:
            self._add("whether", f"whether {item.said.yes} ({item.name})", term)
            self._add("said", item.said.yes, term)
            self._add("said", item.said.no, ("not", term))
            for clause, meant in ((item.said.yes, term), (item.said.no, ("not", term))):
                self._add("done", _BEFORE.sub("", clause), meant)
                self._add("done", clause, meant)

    def _add_answers(self, item: Field, term: Term) -> None:
        """Add what a yes/no field is where no clause says it, and whether a set is empty."""
        be = "are" if is_plural(item.label) else "is"
        if isinstance(item.type, BooleanType):
            named = f"the case {item.label}:" if is_verb(item.label) else f"the {item.label} {be}"
            for word, meant in (("yes", term), ("no", ("not", term))):
                self._add("fact", f'{named} "{word}"', meant)
                self._add("fact", f'the {item.label} ({item.name}) {be} "{word}"', meant)
        if isinstance(item.type, SetType | ListType):
            some = ("some", term if isinstance(item.type, SetType) else ("items", item.name, None))
            for word, meant in (("not ", some), ("", ("not", some))):
                self._add("emptiness", f'the {item.label} {be} {word}"{item.type.empty}"', meant)

    def _add_clauses(self, said: Said | None, term: Term) -> None:
        if said is None:
            return
        for clause, meant in ((said.yes, term), (said.no, self.forms.negate(term))):
            self._add("fact", clause, meant)

    def _add_subjects(self) -> None:
        """Add how several clauses about one thing are said of it together: "is late or is lost"."""
        found: dict[str, dict[tuple[str, Any], None]] = {}
        for subject, tail, meant in self._iterate_clauses():
            found.setdefault(subject, {})[tail, meant] = None
        for number, (subject, tails) in enumerate(sorted(found.items())):
            if len(tails) > 1:
                for tail, meant in tails:
                    self._add(f"tail {number}", tail, meant)
                for word in ("or", "and"):
                    words = f"{subject} {{ts:tail {number}*{word}}}"
                    self._add_phrase("short", words, f"{word}_(*ts)")

    def _iterate_clauses(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the subject of each clause that is a fact, what it says of it, and its meaning."""
        for (kind, _), known in self._meant.items():
            for meant in known if kind == "fact" else ():
                for words in self._words[kind, meant]:
                    clause = _CLAUSE.fullmatch(words)
                    if clause is not None and '"' not in words:
                        yield clause["subject"], f"{clause['verb']} {clause['rest']}", meant

    def _add_absence(self, item: Field, term: Term) -> None:
        """Add how a sentence says that a field has a value, and that it has none."""
        given: Term = ("given", term)
        be = "are" if is_plural(item.label) else "is"
        is_decided = item.role in {Role.DERIVED, Role.OUTCOME}
        words, none = item.missing, f'the {item.label} {be} "{item.missing}"'
        has = f"the {item.label} {'have' if be == 'are' else 'has'} been set"
        some = has if is_decided else f"the {item.label} {be} given"
        thing = words.removeprefix("no ")
        start, denied, done = words.rpartition("not ")
        if isinstance(item.type, EnumType) and not is_decided:
            some = f'the {item.label} {be} not "{item.missing}"'
        elif not is_decided and thing != words and self._is_about(item, thing):
            self._add(
                "fact", f"there {'are' if is_plural(thing) else 'is'} no {thing}", ("not", given)
            )
        elif not is_decided and denied and not start and done in _SAID_OF_VALUES.split():
            some = f"the {item.label} {be} {done}"
            self._add("fact", f"the {item.label} {be} {words}", ("not", given))
        elif (
            not is_decided and denied and start and " " not in done and self._is_about(item, start)
        ):
            verb = "are" if is_plural(start.strip()) else "is"
            self._add("fact", f"the {start.strip()} {verb} not {done}", ("not", given))
        self._add("fact", some, given)
        self._add("fact", none, ("not", given))

    @staticmethod
    def _is_about(item: Field, thing: str) -> bool:
        """Return whether a word for none names what a field's label or description does."""
        known = {*item.label.lower().split(), *item.description.lower().split()}
        return not known.isdisjoint(thing.lower().split())

    def _add_part_names(self, item: Field, name: str) -> None:
        label, term = item.label_part(name), ("part", item.name, name)
        for start in ("the entry's", "its"):
            for sort in ("noun", "name"):
                self._add(sort, f"{start} {label}", term)
        self._add("part", label, term)
        kind = item.type.find_field_type(name) if isinstance(item.type, ListType) else None
        if isinstance(kind, BooleanType):
            named = f"the entry {label}:" if is_verb(label) else f"the entry's {label} is"
            for word, meant in (("yes", term), ("no", ("not", term))):
                self._add("fact", f'{named} "{word}"', meant)
        if isinstance(kind, EnumType) and label in _SORTS:
            tree = f"part({item.name!r}, {name!r})"
            self._add_phrase("filter", f"of the {label} {{l:quoted}}", f"{tree} == label(l)")
            self._add_phrase(
                "filter", f"of the {label} {{ls:quoted*or}}", f"one_of({tree}, labels(*ls))"
            )
        if (
            isinstance(kind, NumberType)
            and kind.unit
            and not is_plural(label)
            and " of " not in label
        ):
            tree = f"p[part({item.name!r}, {name!r})]"
            self._add_phrase("having", f"with {add_article(label)} of {{p:limit}}", tree)

    def _add_part(self, item: Field, part: Part) -> None:
        term: Term = ("part", item.name, part.name)
        tree = f"part({item.name!r}, {part.name!r})"
        self._add_item_clauses(item, part.said, term)
        for label in part.label_clauses:
            self._add_item_clauses(item, label.said, ("==", term, ("label", label.label)))
        if part.value_clause is not None:
            for said, sign in zip(part.value_clause.both, ("==", "!="), strict=True):
                words = _write_relative(item, said.replace("{}", "{v:noun}"))
                self._add_phrase("filter", words, f"{tree} {sign} v")
                fact = _name_entry(said).replace("{}", "{v:noun}")
                self._add_phrase("fact", fact, f"{tree} {sign} v")
        for sort, start in _list_starts(part):
            for kind in ("back", "when"):
                self._add_phrase(sort, f"{start} {{p:{kind}}}", f"p[{tree}]")
        self._add_spans(part, tree)

    def _add_spans(self, part: Part, tree: str) -> None:
        """Add how near before other days of the case that of an entry is."""
        starts = [("filter", f"whose {part.label} is"), *_list_starts(part)]
        for name in sorted(part.until):
            other = self.fields[name]
            on_it = "" if name in part.before else " or on it"
            for sort, start in starts:
                words = f"{start} in the {{k:ndays}} before the {other.label}{on_it}"
                near = f"days({tree}, field({name!r})) <= number(k, '', '')"
                self._add_phrase(sort, words, near)

    def _add_item_clauses(self, item: Field, said: Said | None, term: Term) -> None:
        """Add what a clause says of an entry, alone and as it follows what the entry is called."""
        for clause, meant in (
            () if said is None else ((said.yes, term), (said.no, self.forms.negate(term)))
        ):
            self._add("fact", _name_entry(clause), meant)
            written = _write_relative(item, clause)
            for words in dict.fromkeys(_OF_NUMBER.sub(form, written) for form in (r"\1", r"\2")):
                self._add("filter", words, meant)
            found = _CLAUSE.fullmatch(clause)
            if found is not None and not re.search(r"\b(?:not|no|never|nothing|none)\b", clause):
                self._add("clause", f"{found['verb']} {found['rest']}", meant)

    def _add_events(self, item: Field) -> None:
        """Add what is said of a day by what happens on it: "the insurance ends before"."""
        tree = f"field({item.name!r})"
        moment = item.label.removeprefix("time of ")
        if isinstance(item.type, DateTimeType) and moment != item.label:
            self._add("noun", f"the day of {moment}", ("date_of", ("field", item.name)))
        if not isinstance(item.type, DateType):
            return
        event, birth = _EVENT.fullmatch(item.label), _BIRTH.fullmatch(item.label)
        if event is not None and not _is_described(event["thing"]):
            thing = event["of"] or event["thing"]
            one, _, several = _HAPPENS[event["what"] or event["that"]].partition("/")
            self._add_phrase(
                "fact",
                f"the {thing} {several if is_plural(thing) else one} {{p:when}}",
                f"p[{tree}]",
            )
        if birth is not None:
            for words, sign in (("less than", "<"), ("at least", ">=")):
                self._add_phrase(
                    "fact",
                    f"the age{birth['whose']} on {{d:noun.day}} is {words} {{k:nyears}}",
                    f"d {sign} later({tree}, k, 'years')",
                )

    # what terms are

    def has(self, test: str, term: Any) -> bool:  # noqa: ANN401 - a term or a text
        """Return whether a term is of the sort that a gap asks for, if it asks for one."""
        return not test or self._tests[test](term)

    def find_kind(self, term: Term) -> str:
        """Return what a term is: a number, a day, a set, a condition and so on."""
        known = self.forms.find_type(term)
        if known is not None:
            return known.sort
        match term:
            case ("table", _, ("entry", _, value), *_) | (("min" | "max" | "amended"), value, *_):
                return self.find_kind(value)
            case (("if" | "least" | "greatest"), _, value, _):
                return self.find_kind(value)
            case ("limit", name):
                return self.find_kind(self.forms.limits[name])
            case (head, *_) if head in _KINDS_OF_HEADS:
                return _KINDS_OF_HEADS[head]
        return "condition" if self.is_condition(term) else "number"

    def is_condition(self, term: Any) -> bool:  # noqa: ANN401 - a term, a text or None
        """Return whether a term is a condition, other than a yes/no field."""
        return isinstance(term, tuple) and term[0] in _CONDITIONS

    def is_brief(self, term: Term) -> bool:
        """Return whether a value is said as well in a line as in a list."""
        inner = term
        while inner[0] in {"min", "max", "round"} and isinstance(inner[1], tuple):
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


def is_verb(label: str) -> bool:
    """Return whether a label of a yes/no field begins with a verb, as "has receipt" does."""
    return label.split(" ", 1)[0] in {"has", "had", "is", "was", "needs", "can", "may", "must"}


def _is_described(thing: str | None) -> bool:
    """Return whether words say of which sort a day is, as "planned" does, and name no thing."""
    last = thing.split()[-1].lower() if thing else ""
    return is_modifier(last) or is_adjective(last)


def _write_relative(item: Field, clause: str) -> str:
    """Return a clause as it says which entries are meant, with a verb as "was/were"."""
    found = _CLAUSE.fullmatch(clause)
    one = singularize(item.label)
    subjects = {"it", f"the {one}", f"the {one.split(' of ')[0]}"}
    if found is None or found["subject"] not in subjects:
        return f"for which {clause}"
    return f"that {found['verb']}/{pluralize_verb(found['verb'])} {found['rest']}"


def _name_entry(clause: str) -> str:
    """Return a clause about an entry so that it stands beside what is said of its other values.

    >>> _name_entry("it has an invoice")
    'the entry has an invoice'
    """
    return re.sub(r"^it\b", "the entry", clause)


def _list_starts(part: Part) -> list[tuple[str, str]]:
    """Return how a filter by the day of an entry begins, alone and beside others."""
    if not part.verb:
        return []
    is_whole = part.verb.startswith("that ")
    beside = part.verb if is_whole else f"that was/were {part.verb}"
    return [("onlyfilter", part.verb), ("filter", beside)]


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
