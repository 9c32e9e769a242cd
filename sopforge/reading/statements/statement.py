"""A line taken apart: what is compared with what, what is tied to what, and all other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sopforge.reading.statements.doers import Doing, find_passives, is_somebody
from sopforge.reading.statements.tokens import (
    ENDS,
    RELATIONS,
    TYING,
    is_value,
    mark_names,
    put_in_turns,
)

_OPPOSITE = {"=": "!=", "!=": "=", ">=": "<", "<": ">=", "<=": ">", ">": "<="}
_MAIN = frozenset(
    {
        *("go", "record", "refus", "return", "closecas", "handover", "thecall", "determin", "giv"),
        *("send", "tel", "ask", "check", "perform", "keep", "writ", "chang"),
    }
)
"""Where a condition comes first, what is asked for begins with one of these."""
_BREAKS = frozenset({"and", "or", ","})
_UNORDERED = frozenset({*RELATIONS, "not", "if"})
_EXTREMES = frozenset({"largest", "smallest"})


class Chunk(NamedTuple):
    """Tokens in a row, and whether they are a condition."""

    is_condition: bool
    tokens: Sequence[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """What a line says, each with how often it does.

    ``compared`` has the part of the sentence, a thing, its relation and a value; ``tied`` words
    with what follows them; ``words`` all words, with "not" where one is denied. ``order`` has the
    tokens of each sentence in turn, ``passives`` what is done by whom, ``chunks`` what stands
    between commas and "and".
    """

    compared: Counter[tuple[str, ...]]
    tied: Counter[tuple[str, str]]
    words: Counter[str]
    order: Sequence[Sequence[str]]
    passives: Sequence[Doing]
    chunks: Sequence[Chunk]


def parse_statement(text: str, labels: Sequence[str] = ()) -> Statement:
    """Return what a text says; labels are names, the longest first."""
    marked = mark_names(text, labels)
    reading = _Reading()
    for sentence in _split(marked.iterate_tokens(put_in_turns(marked.text)), {"."}):
        reading.order.append([])
        for part in _split(sentence, ENDS):
            reading.read(part)
    order = [part for part in reading.order if part]
    passives = find_passives(marked)
    return Statement(reading.compared, reading.tied, reading.words, order, passives, reading.chunks)


@dataclass(slots=True)
class _Scan:
    """What has been read of a part of a sentence that the next token may be about."""

    relation: str = ""
    is_used: bool = False
    is_denied: bool = False
    tying: str = ""


@dataclass(slots=True)
class _Reading:
    """Counts what the parts of a line say."""

    compared: Counter[tuple[str, ...]] = field(default_factory=Counter)
    tied: Counter[tuple[str, str]] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    order: list[list[str]] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)

    def read(self, tokens: Sequence[str]) -> None:
        """Count what a part says, and what holds otherwise apart from the rest."""
        first, *others = _split(tokens, {"otherwise"})
        self._read_clause(first, "")
        for part in others:
            self.words["otherwise"] += 1
            self._read_clause(part, "otherwise ")

    def _read_clause(self, tokens: list[str], start: str) -> None:
        """Count what is asked for, and under which condition."""
        condition, result, is_denied = _split_condition(tokens)
        for part, is_condition in ((condition, True), (result, False)):
            rows = _split((token for token in part if token not in _UNORDERED), _BREAKS)
            self.chunks += [Chunk(is_condition, row) for row in rows if row]
        found = [self._read_part(condition, start, is_denied=is_denied)]
        found.append(self._read_part(result, start, is_denied=False))
        # Where one of them compares nothing, it makes no difference which comes first.
        kinds = ("if", "so") if all(found) else ("", "")
        for kind, pairs in zip(kinds, found, strict=True):
            self.compared.update((f"{start}{kind}", *pair) for pair in pairs)

    def _read_part(
        self, tokens: Sequence[str], start: str, *, is_denied: bool
    ) -> list[tuple[str, str, str]]:
        """Count the words of a condition, or of what is asked for, and return what it compares."""
        pairs: list[tuple[str, str, str]] = []
        scan = _Scan()
        for place, token in enumerate(tokens):
            if token in RELATIONS:
                scan.relation, scan.is_used = RELATIONS[token], False
            elif token == "not":  # noqa: S105 - a word
                scan.is_denied = not scan.is_denied
            elif is_value(token):
                said = scan.relation or "="
                said = _OPPOSITE[said] if scan.is_denied != is_denied else said
                pairs.append((_find_thing(tokens, place), said, token))
                scan = _Scan(scan.relation, is_used=True)
                self.order[-1].append(token)
            elif token not in {"and", "or", "if", ","}:
                self._add(token, start, scan)
                kept = "" if token.startswith("l:") or scan.is_used else scan.relation
                scan = _Scan(kept, tying=token if token in TYING else "")
        self.words["not"] += scan.is_denied
        self._count_joints(tokens, is_denied=is_denied and bool(pairs))
        self.words["unless"] += is_denied and not pairs
        return pairs

    def _count_joints(self, tokens: Sequence[str], *, is_denied: bool) -> None:
        """Count how the parts of a condition are joined; what is denied is joined otherwise."""
        joints = [
            (token, is_value(tokens[place - 1]) and is_value(tokens[place + 1]))
            for place, token in enumerate(tokens[:-1])
            if place and token in {"and", "or"}
        ]
        # "The largest of a and b" is "a or b, whichever is the largest".
        words = [token for token, is_of in joints if not is_of and _EXTREMES.isdisjoint(tokens)]
        self.words["or value"] += sum(is_of and token == "or" for token, is_of in joints)  # noqa: S105
        self.words["or"] += words.count("and" if is_denied else "or")
        if len({*words}) > 1:
            # How these go together shows in their order alone.
            self.words[" ".join(tokens)] += 1

    def _add(self, token: str, start: str, scan: _Scan) -> None:
        self.order[-1].append(token)
        relation = "" if scan.is_used else scan.relation
        if relation and token.startswith("l:"):
            self.tied[(relation, token)] += 1
        # "from" shows who gives something and who gets it; of things, it may be put in many words.
        is_tied = is_somebody(token) if scan.tying == "from" else token not in TYING
        if scan.tying and is_tied:
            self.tied[(scan.tying, token)] += 1
        if token != "from":  # noqa: S105 - a word
            self.words[f"{start}not {token}" if scan.is_denied else f"{start}{token}"] += 1


def _split(tokens: Iterable[str], ends: Iterable[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for token in tokens:
        if token in ends:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _split_condition(tokens: list[str]) -> tuple[list[str], list[str], bool]:
    """Return the condition of a part, what is asked for, and whether "unless" is between them."""
    place = next((n for n, token in enumerate(tokens) if token in {"if", "unless"}), None)
    if place is None:
        return [], tokens, False
    is_denied = tokens[place] == "unless"
    if place:
        return tokens[place + 1 :], tokens[:place], is_denied
    commas = [n for n, token in enumerate(tokens[:-1]) if token == ","]  # noqa: S105 - a sign
    begun = [n for n in commas if tokens[n + 1] in _MAIN or tokens[n + 1].startswith("i:")]
    end = next(iter([*begun, *reversed(commas)]), len(tokens))
    return tokens[1:end], tokens[end + 1 :], is_denied


def _find_thing(tokens: Sequence[str], place: int) -> str:
    """Return what a value is of: the last label before it in its part, or the next one."""
    before = _find_label(tokens, range(place - 1, -1, -1))
    return before or _find_label(tokens, range(place + 1, len(tokens)))


def _find_label(tokens: Sequence[str], places: Iterable[int]) -> str:
    for place in places:
        is_bound = place > 0 and tokens[place - 1] in {*RELATIONS, *TYING}
        if tokens[place].startswith("l:") and not is_bound:
            return tokens[place]
    return ""
