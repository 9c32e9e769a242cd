"""What the English of an SOP means, worked out from the words alone: the judge of the writer.

It shares no code with SOPForge and knows its phrases only as the documentation explains them. A
text is read in every form that the grammar allows; readings that differ are an ambiguity.
Rows have the values of the reference interpreter, and an entry of a list stands under "entry".
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from tests.judges import english_phrases as phrases

Row = Mapping[str, Any]
Tree = tuple[Any, ...]
# For conditions, what is said of a value that is missing is false.
COUNTED = ("set", "list")
FACTS = frozenset({"atom", "fatom", "same", "every"})
CHAINS = {
    "num": ("product", re.compile(" (plus|minus) ")),
    "product": ("num1", re.compile(" (times|divided by) ")),
}
STEPS: dict[str, phrases.Meaning] = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "divided by": lambda a, b: Fraction(a) / b,
}


class UnreadError(ValueError):
    """The judge has no reading of a text."""


class AmbiguousError(ValueError):
    """Two readings of a text answer differently."""


class MissingError(ValueError):
    """A value that a text is about is not there."""


@dataclass(frozen=True)
class Names:
    """What texts call the things of rows: for each label its kind, and its field.

    Clauses, by list or "" for the case, have a field, a value, and whether it is this one.
    """

    fields: Mapping[str, tuple[str, str]]
    lists: Mapping[str, tuple[str, str]]  # name: plural, singular
    parts: Mapping[str, Mapping[str, tuple[str, str]]]
    units: str
    words: Mapping[str, str] = field(default_factory=dict)  # for a missing value
    clauses: Mapping[str, Mapping[str, tuple[str, object, bool]]] = field(default_factory=dict)
    verbs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # for days of entries
    calendars: Mapping[str, frozenset[date]] = field(default_factory=dict)
    order: tuple[str, ...] = ()  # labels from the lowest to the highest


class Spot(NamedTuple):
    """Where a text is read: what list is spoken of there, and what the clause before is about."""

    at: int
    place: str = ""
    last: tuple[str, Tree] | None = None


class Judge:
    """Knows the grammar, and in it what some names stand for."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.words = {**phrases.WORDS, "UNITS": names.units}
        self.rules: dict[str, list[tuple[list[Any], phrases.Meaning]]] = {}
        self.add_all((*phrases.TERMS, *phrases.VALUES, *phrases.CONDITIONS))
        for kinds, words, meant in phrases.PREDICATES:
            for kind in kinds.split():
                self.add(f"pred:{kind}", words.replace("SAME", kind), meant)
        for kind in phrases.KINDS:
            self.add_kind(kind)
        self.add_all(self.ranked(phrases.RANKS))
        for label, (kind, name) in names.fields.items():
            self.add_field(label, kind, name)
        for place, clauses in names.clauses.items():
            self.add_clauses(place, clauses)
        for place in names.lists:
            self.add_list(place)
        for name, holidays in names.calendars.items():
            words = f"the number of working days of the calendar {name} from {{day}} to {{day}}"
            self.add("num1", words, partial(phrases.working_days, holidays=holidays))
            later = partial(phrases.after_working_days, holidays)
            words = rf"(\d+) working days? of the calendar {name} after {{day1}}"
            self.add("day1", words, lambda n, day, later=later: later(day, int(n)))
            words = rf"{{day1}} plus {{num1}} \(in working days of the calendar {name}\)"
            self.add("day", words, later)

    def add_all(self, rules: Iterable[phrases.Phrase], **nouns: str) -> None:
        """Add rules with their nouns."""
        for kind, words, meant in rules:
            found = re.sub(r"\b(?:PL|SG|PART|KIND|L)\b", lambda match: nouns[match[0]], words)
            self.add(re.sub(r"\bL\b", nouns.get("L", "L"), kind), found, meant)

    def ranked(self, rules: Iterable[phrases.Phrase]) -> list[phrases.Phrase]:
        """Return rules that are also given at which place of the order a label stands."""
        return [(kind, words, partial(meant, self.rank)) for kind, words, meant in rules]

    def rank(self, label: str) -> int:
        """Return the place of a label in the order of all; what stands for no value has none."""
        if label not in self.names.order:
            raise MissingError(label)
        return self.names.order.index(label)

    def add(self, kind: str, words: str, meant: phrases.Meaning) -> None:
        """Add a rule, whose words are split into what stands between braces and in them."""
        while any(word in words for word in self.words):
            words = re.sub(r"[A-Z]{2,}", lambda match: self.words.get(match[0], match[0]), words)
        pieces = re.split(r"\{([^}]*)\}", words)
        split = [part if place % 2 else re.compile(part) for place, part in enumerate(pieces)]
        self.rules.setdefault(kind, []).append((split, meant))

    def add_kind(self, kind: str) -> None:
        """Add what can be said of every kind of value."""
        self.add(kind, f"{{{kind}1}}", _itself)
        self.add(f"{kind}x", f"{{{kind}}}", _itself)
        for place in (f"{kind}x", f"else:{kind}"):
            for about in ("{", r"(?=the |-?\d){="):  # "it": of a clause before, or this value
                words = f"{about}{kind}~}} if {{cond}}, {{else:{kind}~}}"
                self.add(place, words, _chosen)
        pair, by = f"{{{kind}1}} for {{labels}}", "(?:,| and) "
        self.add(f"pairs:{kind}", pair, lambda value, labels: [(value, labels)])
        words = f"{pair}{by}{{pairs:{kind}}}"
        self.add(f"pairs:{kind}", words, lambda value, labels, rest: [(value, labels), *rest])
        self.add(f"{kind}x", f"{{pairs:{kind}}}, by {{label}}", _looked_up)
        self.add(f"else:{kind}", f"otherwise {{{kind}x~}}", lambda value: value())
        self.add("atom", f"{{={kind}}} {{pred:{kind}}}", lambda s, holds: holds(s))
        self.add("fatom", f"(?=whose ){{={kind}}} {{pred:{kind}}}", lambda s, holds: holds(s))
        self.add("same", f"{{it:{kind}}}{{pred:{kind}}}", lambda s, holds: holds(s))
        self.add(f"{kind}1", f"(?:it|they){{it:{kind}}}", _itself)

    def add_field(self, label: str, kind: str, name: str) -> None:
        """Add what may be said of a field."""
        noun, word = label.removeprefix("the "), re.escape(self.names.words.get(name, ""))
        look = partial(self.look, name, kind)
        self.add(f"{kind}1", f"{label}{{row}}", look)
        if kind == "num":
            self.add("base", f"{label}{{row}}", look)
        gone = [f'{label} IS "{word}"', *([f"there IS no {noun}"] if kind not in COUNTED else [])]
        for words in gone:
            self.add("atom", f"{words}{{row}}", lambda row: row[name] is None)
        for words in (f'{label} IS not "{word}"', f"{label} IS given", f"{label} HAVE been set"):
            self.add("atom", f"{words}{{row}}", lambda row: row[name] is not None)
        if kind == "set":
            self.add(f"members:{name}", f"{noun}?{{row}}", look)
            self.add_all(phrases.COUNTS, L=name)
        if noun.startswith("number of "):
            things = noun.removeprefix("number of ")
            self.add(f"members:{name}", f"{things}?{{row}}", lambda row: range(int(look(row))))
            self.add_all(phrases.COUNTS[:3], L=name)

    def look(self, name: str, kind: str, row: Row) -> Any:  # noqa: ANN401 - of any kind
        """Return what a row has under a name."""
        value = row[name]
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None and kind != "label":
            raise MissingError(name)
        if value is None:
            return self.names.words[name]
        return value.date() if kind == "day" and isinstance(value, datetime) else value

    def add_clauses(self, place: str, clauses: Mapping[str, tuple[str, object, bool]]) -> None:
        """Add clauses that say what fields are, or parts of a list's entries."""
        for clause, (name, value, wanted) in clauses.items():
            holds = partial(_is_so, name, value, wanted)
            if not place:
                self.add("atom", f"{clause}{{row}}", holds)
                continue
            _, verb, rest = clause.split(" ", 2)
            verb = {"was": "(?:was|were)", "is": "IS", "has": "HAVE"}.get(verb, verb)
            self.add(f"said:{place}", f"{verb} {rest}{{row}}", partial(_of_entry, holds))
            self.add(f"atom:{place}", f"(?:it|the entry) {{said:{place}}}", bool)
            self.add(f"fatom:{place}", f"that {{said:{place}}}", bool)

    def add_list(self, place: str) -> None:
        """Add what may be said of the entries of a list."""
        plural, single = self.names.lists[place]
        nouns = {"L": place, "PL": plural, "SG": single}
        self.add(f"members:{place}", f"(?:{plural}|{single}){{filter@{place}}}", _itself)
        self.add(f"filter:{place}", "{row}", lambda row: _entries(row, place))
        words = f" {{fcond@{place}~}}{{row}}"
        self.add(
            f"filter:{place}", words, lambda holds, row: [*filter(holds, _entries(row, place))]
        )
        self.add_all((*phrases.COUNTS, *phrases.ENTRIES), **nouns)
        for verb, name in self.names.verbs.get(place, {}).items():
            paid = partial(_holds_of, name)
            words = f"(?:that (?:was|were) )?{verb} {{pred:day}}{{row}}"
            self.add(f"fatom:{place}", words, paid)
        for label, (kind, name) in self.names.parts[place].items():
            look, part = partial(self.look, name, kind), f"part:{place}.{name}"
            noun = label if label.startswith("the ") else f"(?:the entry's|its|whose) {label}"
            self.add(f"{kind}1:{place}", f"{noun}{{row}}", partial(_of_entry, look))
            if kind == "num":
                self.add(f"base:{place}", f"{noun}{{row}}", partial(_of_entry, look))
            self.add(part, label, partial(partial, _of_entry, look))
            ranked = self.ranked(phrases.RANKED_PARTS)
            rules = {"num": phrases.NUMBERS, "day": phrases.DAYS, "label": ranked}
            further = rules.get(kind, ())
            self.add_all((*phrases.PARTS, *further), **nouns, PART=f"{{{part}}}", KIND=kind)

    def judge(self, text: str, kind: str = "cond") -> Callable[[Row], Any]:
        """Return what a text says of rows.

        Raises:
            UnreadError: it says nothing that the judge knows.
        """
        found = _Reading(self, text).read(kind, Spot(0))
        trees = {tree for tree, spot in found if spot.at == len(text)}
        if not trees:
            raise UnreadError(text)

        def answer(row: Row) -> object:
            answers = {_answer(tree, row) for tree in trees}
            if len(answers) > 1:
                raise AmbiguousError(text)
            return answers.pop()

        return answer


class _Reading:
    """Reads one text."""

    def __init__(self, judge: Judge, text: str) -> None:
        self.rules, self.text = judge.rules, text
        self.known: dict[tuple[str, Spot], list[tuple[Tree, Spot]]] = {}

    def read(self, kind: str, spot: Spot) -> list[tuple[Tree, Spot]]:
        """Return all that a text from somewhere on may be, as a kind."""
        if (kind, spot) not in self.known:
            if kind in CHAINS:
                found = self.chain(kind, spot)
            else:
                found = [
                    ((name, meant, parts), end)
                    for name in (kind, f"{kind}:{spot.place}")
                    for pieces, meant in self.rules.get(name, ())
                    for parts, end in self.follow(pieces, spot)
                ]
            self.known[kind, spot] = list(dict.fromkeys(found))
        return self.known[kind, spot]

    def follow(self, pieces: list[Any], spot: Spot) -> list[tuple[Tree, Spot]]:
        """Return the parts that a rule finds in a text."""
        found: list[tuple[Tree, Spot]] = [((), spot)]
        for number, piece in enumerate(pieces):
            read = self.part if number % 2 else self.literal
            found = [
                ((*parts, *more), end) for parts, here in found for more, end in read(piece, here)
            ]
        return found

    def literal(self, words: re.Pattern[str], spot: Spot) -> Iterator[tuple[Tree, Spot]]:
        """Yield what words match; a word must end where they end."""
        if match := words.match(self.text, spot.at):
            end = match.end()
            around = self.text[max(end - 1, spot.at) : end + 1]
            if len(around) < 2 or not re.fullmatch(r"\w\w", around):
                yield tuple(("word", group) for group in match.groups()), spot._replace(at=end)

    def part(self, spec: str, spot: Spot) -> Iterator[tuple[Tree, Spot]]:
        """Yield what a part in braces may be."""
        if spec == "row":
            yield (("row",),), spot
        elif spec.startswith("it:"):
            if spot.last and spot.last[0] == spec[3:]:
                yield (spot.last[1],), spot
        else:
            kind, _, inner = spec.strip("=~").partition("@")
            for tree, end in self.read(kind, spot._replace(place=inner or spot.place)):
                is_later = spec.endswith("~") or kind.startswith("pred:")
                last = (kind, tree) if spec.startswith("=") else spot.last if inner else end.last
                yield (("later", tree) if is_later else tree,), Spot(end.at, spot.place, last)

    def chain(self, kind: str, spot: Spot) -> list[tuple[Tree, Spot]]:
        """Return sums or products, worked out from left to right."""
        lower, signs = CHAINS[kind]
        newest = found = self.read(lower, spot)
        while newest:
            newest = [
                ((kind, STEPS[sign[1]], (left, right)), end)
                for left, middle in newest
                for (sign,), after in self.literal(signs, middle)
                for right, end in self.read(lower, after)
            ]
            found = [*found, *newest]
        return found


def _answer(tree: Tree, row: Row, *subject: object) -> Any:  # noqa: ANN401 - of any kind
    """Return the value of what was read."""
    if tree[0] in {"word", "row"}:
        return row if tree[0] == "row" else tree[1]
    kind, meant, parts = tree
    try:
        found = meant(*subject, *(_part(part, row) for part in parts))
    except MissingError:
        if kind.partition(":")[0] in FACTS:
            return False
        raise
    return bool(found) if kind.partition(":")[0] in FACTS else found


def _part(part: Tree, row: Row) -> Any:  # noqa: ANN401 - of any kind
    """Return the value of a part, or how it is had later: of another row, or of a subject."""
    if part[0] != "later":
        return _answer(part, row)
    if part[1][0].startswith("pred:"):
        return lambda subject: _answer(part[1], row, subject)
    return lambda inner=row: _answer(part[1], inner)


def _itself(value: object) -> object:
    return value


def _chosen(then: Callable[[], Any], holds: object, rest: Callable[[], Any]) -> object:
    return then() if holds else rest()


def _looked_up(pairs: list[tuple[object, frozenset[str]]], key: str) -> object:
    return next(value for value, labels in pairs if key in labels)


def _is_so(name: str, value: object, wanted: bool, row: Row) -> bool:  # noqa: FBT001 - of a clause
    return (row[name] == value) is wanted


def _of_entry(look: Callable[[Row], object], row: Row) -> object:
    return look(row["entry"])


def _holds_of(name: str, holds: Callable[[object], bool], row: Row) -> bool:
    return holds(row["entry"][name])


def _entries(row: Row, name: str) -> list[Row]:
    if row[name] is None:
        raise MissingError(name)
    return [{**row, "entry": entry} for entry in row[name]]
