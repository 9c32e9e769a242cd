"""The English of a model's rules, read back from the SOP into expressions and decisions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Constant,
    Expression,
    Lookup,
    Missing,
    Not,
    Read,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.domain.values.types import (
    ANY_DAY,
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    ValueNotAllowedError,
    ValueType,
    encode,
)
from sopforge.logic.english_reader import (
    BOUNDS,
    LookUp,
    NotReadError,
    Text,
    Vocabulary,
    build_vocabulary,
    read_branch,
    read_case,
    read_condition,
    read_labels,
    read_options,
    read_truth,
    read_value,
)
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.grammar import join_lettered
from sopforge.logic.phrasing.presence import add_implied_presence
from sopforge.reading.denied_words import widen_denials
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.named_conditions import list_known_sources
from sopforge.rendering.sop.sections.tables import OTHERWISE

_LARGEST = 1 << 61
_CASES = 2
_LISTED = {frames.ALL_HOLD: AllOf, frames.ANY_HOLDS: AnyOf}
_HELD = re.compile(rf"(?P<entry>.+) for which (?P<opening>{'|'.join(_LISTED)})")
"""What is said before a list of the conditions for an entry."""
_LETTERED = {"all of these hold": AllOf, "at least one of these holds": AnyOf}


@dataclass(frozen=True, slots=True)
class Conditional:
    """Conditions of which any leads to one result; the result is still in words."""

    conditions: tuple[Expression, ...]
    result: str


class Language:
    """Reads sentences in the words of a model.

    A comparison with a value that may be missing is read as it is meant: it holds for none.
    """

    def __init__(self, model: DomainModel) -> None:
        self.model = model
        known = build_vocabulary(model)
        said = {**known.said, **list_known_sources(model)}
        self.vocabulary: Vocabulary = replace(known, said=said)
        self.scope = Scope(
            {name: item.type for name, item in model.fields.items()},
            {name: item.constant for name, item in model.policy.items()},
            frozenset(name for name, item in model.fields.items() if item.missing),
            {name: calendar for name, (calendar, _) in model.calendars.items()},
            frozenset(item.name for item in model.malformable),
        )
        self.optional = {
            name: item if model.may_lack_value(name) else replace(item, missing="")
            for name, item in model.fields.items()
        }

    def learn_named_condition(self, clause: str, words: str, items: Sequence[str]) -> Expression:
        """Return what a clause means by its definition; from now on, the clause means that.

        Raises:
            NotReadError: the definition states no condition.
        """
        sources = [read_condition(x, self.vocabulary) for x in _list_conditions(words, items)]
        joint = " and " if words == frames.ALL_HOLD else " or "
        source = f"({joint.join(sources)})"
        known = self.vocabulary.said
        opposites = [other for other in known if known[other] == f"(not {known.get(clause)})"]
        said = {clause: source, **dict.fromkeys(opposites, f"(not {source})")}
        found = self._parse_source_condition(source, words)
        self.vocabulary = replace(self.vocabulary, said={**known, **said})
        return self._complete_condition(found)

    def interpret_condition(self, words: str) -> Expression:
        """Return a condition; raises ``NotReadError`` for words that are none."""
        return self._complete_condition(self._parse_condition(words))

    def interpret_denial(self, text: str, items: Sequence[str]) -> Expression:
        """Return that the condition of a line, maybe a list, does not hold; raises as above."""
        words = _lower_first_letter(text[:-1])
        found = self.interpret_conditions(words, items, self._parse_condition)
        return self._complete_condition(Not(found[0] if len(found) == 1 else AnyOf(found)))

    def _parse_condition(self, words: str) -> Expression:
        """Return a condition as it stands, without what its words imply."""
        return self._parse_source_condition(read_condition(words, self.vocabulary), words)

    def _parse_source_condition(self, source: str, words: str) -> Expression:
        try:
            return parse_condition(source, self.scope)
        except ExpressionError as cause:
            raise NotReadError(words) from cause

    def _complete_condition(self, found: Expression) -> Expression:
        # A denied group implies what its facts do, each denied by itself.
        return self._resolve_presence(resolve_denials(widen_denials(found, self.optional)))

    def interpret_value(self, words: str, item: Field) -> Expression:
        """Return what a field is given; raises ``NotReadError`` for words that are none."""
        bare = words[1:-1] if words.startswith('("yes" if ') else words
        try:
            if bare.endswith(', otherwise "no"'):
                text = read_truth(bare, self.vocabulary)
                return self._resolve_presence(parse_condition(text, self.scope))
            if isinstance(item.type, SetType) and words.startswith('"'):
                labels = read_labels(words, self.vocabulary)
                return Constant(
                    item.type, encode(item.type, [] if labels == [item.type.empty] else labels)
                )
            return self._build_expression(read_value(words, self.vocabulary), item)
        except (ExpressionError, ValueNotAllowedError) as cause:
            raise NotReadError(words) from cause

    def interpret_named_value(
        self, words: str, parts: Mapping[str, str], item: Field
    ) -> Expression:
        """Return a value that names parts of it by labels, each with its own words."""
        labels = {label: f"value_{label.replace(' ', '_')}" for label in parts}
        known = replace(self.vocabulary, names={**self.vocabulary.names, **labels})
        text = _require_plain_text(read_value(_add_articles(words, labels), known))
        for label, part in parts.items():
            source = _require_plain_text(read_value(part, self.vocabulary))
            text = f"({source})".join(re.split(rf"\b{labels[label]}\b", text))
        return self._parse_source(text, item, words)

    def interpret_selection(
        self, found: Mapping[str, str], items: Sequence[str], item: Field
    ) -> Expression:
        """Return a list that is made of the entries of another, for which conditions are listed."""
        words = f"{found['every']} for which {_join_listed(found, items)}, with {found['parts']}"
        return self.interpret_value(words, item)

    def interpret_aggregate(
        self, found: Mapping[str, str], items: Sequence[str], item: Field
    ) -> Expression:
        """Return a number that is made of the entries of a list, with conditions for them."""
        words = f"{found['what']} for which {_join_listed(found, items)}"
        if found["default"]:
            words += f", or {found['default']} if there is {found['nothing']}"
        return self.interpret_value(words, item)

    def interpret_value_list(self, head: str, items: Sequence[str], item: Field) -> Expression:
        """Return the value of a list under the words that say what it is; raises on others."""
        return self._parse_source(self._build_list_source(head, items), item, head)

    def _build_list_source(self, head: str, items: Sequence[str]) -> str:
        """Return the source text of a list under the words that say what it is."""
        unless, met = frames.UNLESS.match(head), frames.IF_ELSE.match(head)
        split = unless or met
        if split is not None:
            plain = _require_plain_text(read_value(split["plain"], self.vocabulary))
            condition = read_condition(split["condition"], self.vocabulary)
            rest = self._build_list_source(split["head"], items)
            then, otherwise = (rest, plain) if unless else (plain, rest)
            return f"({then} if {condition} else {otherwise})"
        if head == frames.LADDER or (not head and len(items) == _CASES):
            return self._build_ladder_source(items)
        found = frames.SUM.match(head)
        if found is None:
            raise NotReadError(head)
        total = " + ".join(f"({self._build_summand_source(item)})" for item in items)
        for bound in found["limits"].split(" and ") if found["limits"] else ():
            limit = frames.LIMIT.match(bound)
            if limit is None:
                raise NotReadError(head)
            largest = _require_plain_text(read_value(limit["value"], self.vocabulary))
            total = f"{BOUNDS[limit['bound']]}({total}, {largest})"
        return f"({total})"

    def _build_summand_source(self, words: str) -> str:
        """Return the source text of a line of a sum; without another case, it is zero there."""
        always = frames.ALWAYS.match(words)
        if always is not None:
            return _require_plain_text(read_value(always["value"], self.vocabulary))
        try:
            return _require_plain_text(read_value(words, self.vocabulary))
        except NotReadError:
            whole = f"{words}{frames.OTHERWISE}0"
            return _require_plain_text(read_value(whole, self.vocabulary))

    def _build_ladder_source(self, items: Sequence[str]) -> str:
        *branches, rest = items
        last = frames.LAST_CASE.match(rest) or frames.LAST_BRANCH.match(rest)
        if last is None:
            raise NotReadError(rest)
        source = _require_plain_text(read_value(last["value"], self.vocabulary))
        for branch in reversed(branches):
            read = read_case if branch.startswith("if ") else read_branch
            value, condition = read(branch, self.vocabulary)
            source = f"({value} if {condition} else {source})"
        return source

    def _parse_source(self, text: str, item: Field, words: str) -> Expression:
        try:
            return self._resolve_presence(self._parse_value(text, item))
        except (ExpressionError, ValueNotAllowedError) as cause:
            raise NotReadError(words) from cause

    def interpret_table(
        self, keys: Sequence[str], rows: Sequence[list[str]], item: Field
    ) -> Expression:
        """Return the look-up that the rows of a table say; raises ``NotReadError``."""
        first, *others = keys
        grouped: dict[str, list[list[str]]] = {}
        field = self.model.fields[first].type
        if not isinstance(field, EnumType):
            raise NotReadError(f"the rows for {first}")
        for cell, *rest in rows:
            for label in self._list_row_labels(cell, field.values, [row[0] for row in rows]):
                grouped.setdefault(label, []).append(rest)
        if set(grouped) != set(field.values):
            raise NotReadError(f"the rows for {first}")
        entries = []
        for label in field.values:
            inner = grouped[label]
            if others:
                entries.append(self.interpret_table(others, inner, item))
            elif len(inner) == 1 == len(inner[0]):
                entries.append(self.interpret_value(inner[0][0], item))
            else:
                raise NotReadError(f"the rows for {label}")
        return Lookup(item.type, Read(field, first), tuple(entries))

    def _list_row_labels(
        self, cell: str, labels: Sequence[str], cells: Sequence[str]
    ) -> Iterable[str]:
        """Return the labels that a row is for; the rest are those that no row names."""
        if cell != OTHERWISE:
            return read_options(cell, self.vocabulary)
        others = [other for other in cells if other != cell]
        named = {label for other in others for label in read_options(other, self.vocabulary)}
        return [label for label in labels if label not in named]

    def interpret_conditional(
        self, text: str, items: Sequence[str], starts: Sequence[str]
    ) -> Conditional:
        """Return the conditions and the result of a sentence, whose result begins as one of these.

        A list of alternatives is several conditions. Raises ``NotReadError``.
        """
        for start in starts:
            found = _split_ahead(text, start) or _split_after(text, start)
            if found is not None:
                words, result = found
                return Conditional(self.interpret_conditions(words, items), result)
        raise NotReadError(text)

    def interpret_collected_line(self, text: str, items: Sequence[str]) -> tuple[str, Expression]:
        """Return what a line gives, still in words, and its condition; raises ``NotReadError``."""
        place = find_outside_brackets(text, " if ")
        if place < 0:
            raise NotReadError(text)
        value = _lower_first_letter(text[:place]).removesuffix(",")
        return value, self.interpret_condition_line(text[place + 4 :], items)

    def interpret_condition_line(self, text: str, items: Sequence[str]) -> Expression:
        """Return the condition of a line that says one alone, maybe as a list."""
        found = self.interpret_conditions(_lower_first_letter(text[:-1]), items)
        return found[0] if len(found) == 1 else AnyOf(found)

    def interpret_conditions(
        self,
        words: str,
        items: Sequence[str],
        interpret: Callable[[str], Expression] | None = None,
    ) -> tuple[Expression, ...]:
        """Return the conditions that words say, or that stand in a list below them."""
        parts = tuple(map(interpret or self.interpret_condition, _list_conditions(words, items)))
        return (AllOf(parts),) if _LISTED.get(words) is AllOf else parts

    def _build_expression(self, text: Text, item: Field) -> Expression:
        if isinstance(text, LookUp):
            return self._build_lookup(text.key, text.entries, item)
        if item.missing and text == repr(item.missing):
            return Missing(item.type, item.missing)
        if isinstance(item.type, BooleanType | EnumType) and text.startswith("'"):
            return Constant(item.type, encode(item.type, text.strip("'")))
        return self._resolve_presence(self._parse_value(text, item))

    def _parse_value(self, text: str, item: Field) -> Expression:
        return parse_value(text, self.scope, _widen_type(item.type), item.missing)

    def _resolve_presence(self, expression: Expression) -> Expression:
        return add_implied_presence(expression, self.model.fields)

    def _build_lookup(self, key: str, entries: Mapping[str, Text], item: Field) -> Expression:
        field = self.model.fields[key].type
        if not isinstance(field, EnumType) or set(entries) != set(field.values):
            raise NotReadError(f"the entries for {key}")
        built = tuple(self._build_expression(entries[label], item) for label in field.values)
        return Lookup(item.type, Read(field, key), built)


def _list_conditions(words: str, items: Sequence[str]) -> list[str]:
    """Return the words of each condition: those of a list, or of one that stands alone."""
    if words not in _LISTED:
        held = _HELD.fullmatch(words) if items else None
        if held is not None:
            bare = [item[:-1] for item in items]
            return [f"{held['entry']} for which {_join_listed(held, bare)}"]
        if items:
            raise NotReadError(words)
        return [words[1:-1] if words.startswith("(") and _is_wholly_bracketed(words) else words]
    if not items or not items[-1].endswith("."):
        raise NotReadError(words)
    return [item[:-1] for item in items]


def _add_articles(words: str, labels: Iterable[str]) -> str:
    """Return words with an article before each of some labels, but for those in quotes."""
    bare = re.compile(rf"(?<!\bthe )\b(?:{'|'.join(map(re.escape, labels))})\b")
    parts = words.split('"')
    return '"'.join(
        part if is_quoted else bare.sub(r"the \g<0>", part)
        for part, is_quoted in zip(parts, cycle((False, True)), strict=False)
    )


def _join_listed(found: Mapping[str, str] | re.Match[str], items: Sequence[str]) -> str:
    """Return the conditions of a list as they stand in a sentence."""
    opening = {type_: words for words, type_ in _LETTERED.items()}[_LISTED[found["opening"]]]
    return f"({opening}: {join_lettered(list(items))})"


def _require_plain_text(text: Text) -> str:
    """Return the source text of what is no look-up."""
    if not isinstance(text, str):
        raise NotReadError("a look-up inside other words")
    return text


def _lower_first_letter(text: str) -> str:
    """Return the words of a line as they stand inside a sentence."""
    return f"{text[:1].lower()}{text[1:]}"


def _split_ahead(text: str, start: str) -> tuple[str, str] | None:
    """Split "If this, that." before the result."""
    found = frames.build_conditional(start).match(text)
    return None if found is None else (found["condition"], found["result"].removeprefix(start))


def _split_after(text: str, start: str) -> tuple[str, str] | None:
    """Split "That if this." after the result."""
    capital = start[:1].upper() + start[1:]
    if not text.startswith(capital):
        return None
    rest = text[len(capital) :]
    place = find_outside_brackets(rest, " if ")
    if place < 0:
        return None
    return rest[place + 4 : -1], f"{rest[:place]}{text[-1:]}"


def find_outside_brackets(text: str, words: str) -> int:
    """Return the first place of words outside brackets and quotation marks, -1 if there is none."""
    depth, is_quoted = 0, False
    for place, letter in enumerate(text):
        if letter == '"':
            is_quoted = not is_quoted
        if not is_quoted:
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if depth == 0 and text.startswith(words, place):
                return place
    return -1


def _is_wholly_bracketed(words: str) -> bool:
    """Return whether the bracket that opens a text closes at its end."""
    depth, is_quoted = 0, False
    for place, letter in enumerate(words):
        is_quoted ^= letter == '"'
        depth += 0 if is_quoted else {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return place == len(words) - 1
    return False


def _widen_type(kind: ValueType) -> ValueType:
    """Return a type that holds what a reader may find, whatever the interval of the field."""
    if isinstance(kind, NumberType):
        return NumberType(-_LARGEST, _LARGEST, kind.places)
    return ANY_DAY if isinstance(kind, DateType) else kind
