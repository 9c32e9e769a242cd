"""Phrases: words with gaps and the tree that they mean, read and written by the same entry.

``Phrase("fact", "{a:noun} exceeds {b:noun}", "a > b")`` says a fact. A gap names
the kind of words that fill it, after a dot what the words have to mean, and after a star the word
that joins several of them. ``is/are`` is one word, in the singular and the plural. The tree is
written in the rule language: ``it`` is the subject that a predicate lacks, and ``p[a]`` is a
predicate said of a subject.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, TypeAlias

from sopforge.language.english.forms import Forms
from sopforge.language.english.terms import IT, Term, map_parts

Bindings: TypeAlias = dict[str, Any]
Tokens: TypeAlias = tuple[str, ...]
_TOKEN = re.compile(
    r'"[^"]*"|`[^`]*`|\{step [^}]*\}|\n *- |\d{4}-\d\d-\d\d(?: \d\d:\d\d)?'
    r"|-?\d+(?:\.\d+)*(?=[^\w.]|\.(?:\s|$)|$)|\{\w+[^}]*\}|\w[\w'\u2019/-]*|\S"
)
_GAP = re.compile(r"\{(?P<name>\w+):(?P<kind>[\w ]+)(?:\.(?P<test>\w+))?(?:\*(?P<joint>\w+))?\}")
_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitOr: "|", ast.BitAnd: "&",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "and", ast.Or: "or",
}  # fmt: skip
VARIABLE, SPREAD, SAID_OF, EACH = "?", "?*", "[]", "[*]"
"""Heads of patterns: what fills a gap, one by one, said of a subject, and each of several."""


@lru_cache(maxsize=65_536)
def split_words(text: str) -> Tokens:
    """Return the words of a text; quoted labels, days and numbers are one word each.

    >>> split_words('The class is "A, b" if the mass is 1.5 kg.')
    ('The', 'class', 'is', '"A, b"', 'if', 'the', 'mass', 'is', '1.5', 'kg', '.')
    """
    found = _TOKEN.findall(text)
    return tuple(map(str.strip, found))


@dataclass(frozen=True, slots=True)
class Gap:
    """A place for words of a kind, which have to mean what ``test`` says; of several if joined."""

    name: str
    kind: str
    test: str = ""
    joint: str = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words with gaps and their tree; ``kind`` is what the whole is."""

    kind: str
    words: str
    tree: str
    parts: tuple[Gap | frozenset[str], ...] = field(init=False)
    pattern: Term = field(init=False)
    needed: frozenset[frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        parts = tuple(map(_parse_word, _split_template(self.words)))
        names = {part.name for part in parts if isinstance(part, Gap)}
        object.__setattr__(self, "parts", parts)
        object.__setattr__(
            self, "pattern", _parse_tree(ast.parse(self.tree, mode="eval").body, names)
        )
        object.__setattr__(self, "needed", frozenset(x for x in parts if isinstance(x, frozenset)))

    @property
    def gaps(self) -> Iterator[Gap]:
        """The gaps of the words, left to right."""
        return (part for part in self.parts if isinstance(part, Gap))

    @property
    def is_of_one(self) -> bool:
        """Whether the words name one entry of a list: a verb after it is in the singular."""
        names_one = any(gap.kind in {"item", "anitem"} for gap in self.gaps)
        return names_one or " entry " in self.words

    def build(self, filled: Bindings, forms: Forms) -> Term | None:
        """Return what the words mean with their gaps filled, None where that is nothing."""
        return build_tree(self.pattern, {"it": IT, **filled}, forms)


def build_tree(pattern: Term, filled: Bindings, forms: Forms) -> Term | None:
    """Return a pattern with its variables filled, in the one form of each term."""
    match pattern:
        case ("?", name):
            return filled[name]  # type: ignore[no-any-return]  # a term
        case ("[]", predicate, subject):
            said, about = (build_tree(x, filled, forms) for x in (predicate, subject))
            return said and about and say_of(said, about, forms)
        case ("[*]", head, name, subject):
            about = build_tree(subject, filled, forms)
            return about and forms.make(head, *(say_of(x, about, forms) for x in filled[name]))
        case _:
            return _build_parts(pattern, filled, forms)


def _build_parts(pattern: Term, filled: Bindings, forms: Forms) -> Term | None:
    built: list[Any] = []
    for part in pattern[1:]:
        if isinstance(part, tuple) and part[0] == SPREAD:
            built += filled[part[1]]
        elif isinstance(part, tuple):
            built.append(build_tree(part, filled, forms))
            if built[-1] is None:
                return None
        else:
            built.append(part)
    return forms.make(pattern[0], *built)


def say_of(predicate: Term, subject: Term, forms: Forms) -> Term:
    """Return a predicate said of a subject, in the form that it has with that."""

    def rebuild(term: Term) -> Term:
        if term == IT:
            return subject
        changed = map_parts(term, rebuild)
        return term if changed == term else forms.make(*changed) or changed

    return rebuild(predicate)


def _split_template(words: str) -> list[str]:
    return [x.strip() for x in _TOKEN.findall(words)]


def _parse_word(word: str) -> Gap | frozenset[str]:
    gap = _GAP.fullmatch(word)
    if gap is None:
        return frozenset(word.split("/") if len(word) > 1 else [word])
    return Gap(gap["name"], gap["kind"], gap["test"] or "", gap["joint"] or "")


def _parse_tree(node: ast.expr, names: set[str]) -> Any:  # noqa: ANN401, PLR0911 - a term or a text
    parse = partial(_parse_tree, names=names)
    match node:
        case (
            ast.Compare(left=left, ops=[sign], comparators=[right])
            | ast.BinOp(left=left, op=sign, right=right)
        ):
            return (_OPERATORS[type(sign)], parse(left), parse(right))
        case ast.BoolOp(op=sign, values=values):
            return (_OPERATORS[type(sign)], *map(parse, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ("not", parse(operand))
        case ast.Subscript(value=predicate, slice=subject):
            return (SAID_OF, parse(predicate), parse(subject))
        case ast.Call(
            func=ast.Name(id=("and_each" | "or_each") as head), args=[ast.Name(id=name), x]
        ):
            return (EACH, head.partition("_")[0], name, parse(x))
        case ast.Call(func=ast.Name(id=head), args=args):
            return (head.rstrip("_"), *map(parse, args))
        case _:
            return _parse_leaf(node, names)


def _parse_leaf(node: ast.expr, names: set[str]) -> Term | str | None:
    """Return what a node without parts stands for; ``names`` are those of the gaps."""
    match node:
        case ast.Name(id="it"):
            return IT
        case ast.Name(id="none"):
            return None
        case ast.Name(id=name) if name in names:
            return (VARIABLE, name)
        case ast.Starred(value=ast.Name(id=name)) if name in names:
            return (SPREAD, name)
        case ast.Constant(value=value):
            return str(value)
        case _:
            raise ValueError(f"no tree: {ast.unparse(node)}")
