"""The words that a domain's fields, limits and conditions have of their own, with their phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sopforge.language.domain.fields import Field, Part, Role, Said
from sopforge.language.domain.values.types import (
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
)
from sopforge.language.english.forms import Forms
from sopforge.language.english.nouns import (
    PERCENT,
    add_article,
    is_percent,
    is_plural,
    list_unit_forms,
    names_unit,
    singularize,
)
from sopforge.language.english.phrases import Phrase, Tokens, split_words
from sopforge.language.english.table import build_table
from sopforge.language.english.terms import Term
from sopforge.morphology import is_adjective, is_modifier, pluralize_verb

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


class Vocabulary:
    """What the words of one domain mean, and the phrases that only it has."""

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
