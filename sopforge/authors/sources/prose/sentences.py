"""The texts of a brief as sentences, and where words that are quoted from them stand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sopforge.authors.sources.prose.units import ANY, read_unit

_EMPHASIS = re.compile(r"(?<!\w)[*`]+(?=\S)|(?<=\S)[*`]+(?!\w)")
_MARKUP = re.compile(r"[*`|]+|^\s{0,3}>\s?|^\s*[-+]\s+|^#+\s*", re.MULTILINE)
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)]|[a-z][.)])\s+")
_NUMBERING = re.compile(r"(?:\d+(?:\.\d+)+[.)]?|\d+[.)]|[a-z][.)])\s+(?!(?:%|per cent)\b)")
_QUOTED_NUMBERING = re.compile(r"(?:^|(?<=[.;:!?] ))(?:\d+(?:\.\d+)+[.)]?|\d+[.)])\s+")
_RULER = re.compile(r"[|:\s=-]+")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|approx|no|nos|vs|cf|incl|excl|max|min|ext|tel|dr|mr|mrs|ms|st|fig|sec|dept)\.$",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?](?:[\"\u201d\u2019')\]]*)\s+(?=[\"\u201c\u2018'(\[]?[A-Z0-9])")
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
        **dict.fromkeys("\u2018\u2019", "'"),
        "\u00a0": " ",
    }
)


class SentenceKind(StrEnum):
    """What a sentence is in its text."""

    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, a heading or the row of a table: where it stands in its part, and its number.

    ``number`` is that of a numbered list's item.
    """

    text: str
    start: int
    kind: SentenceKind
    number: str = ""

    @property
    def end(self) -> int:
        """The place after its last character."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Prose:
    """A text of a brief without its markup and line breaks, as sentences with blanks between."""

    text: str
    sentences: tuple[Sentence, ...]

    def find(self, quoted: str) -> list[tuple[int, int]]:
        """Return where quoted words stand, each with the place after them.

        Whoever quotes may have quoted the number of a paragraph or an item with it.
        """
        plain = normalize_text(quoted)
        for words in filter(None, dict.fromkeys((plain, _QUOTED_NUMBERING.sub("", plain)))):
            found = [match.span() for match in re.finditer(re.escape(words), self.text)]
            if found:
                return found
        return []

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of paragraphs, items and headings."""
        return tuple(dict.fromkeys(item.number for item in self.sentences if item.number))

    def list_at(self, start: int, end: int) -> tuple[Sentence, ...]:
        """Return the sentences of which a part stands between two places."""
        return tuple(item for item in self.sentences if item.start < end and start < item.end)


def normalize_text(text: str) -> str:
    """Return a text without markup, with single blanks and plain quotation marks.

    >>> normalize_text("The **limit** is   `5`.")
    'The limit is 5.'
    """
    plain = unicodedata.normalize("NFC", text).translate(_QUOTES)
    # A mark at a word leaves no blank: "**Charge**: in EUR".
    plain = _EMPHASIS.sub("", re.sub(r"^\s*[-+*]\s+", " ", plain, flags=re.MULTILINE))
    return " ".join(_MARKUP.sub(" ", plain).split()).replace(" .", ".").replace(" ,", ",")


def read_prose(text: str) -> Prose:
    """Return a text, which may be Markdown, as sentences."""
    found: list[Sentence] = []
    start = 0
    for raw, kind in _iterate_blocks(text):
        bare, number = raw, ""
        if kind is SentenceKind.ITEM and (marked := _ITEM.match(raw)):
            number = marked[0].strip(" -*+.)\t")
            bare = raw[marked.end() :]
        plain = normalize_text(bare)
        if not number and (marked := _match_numbering(plain)):
            number, plain = marked[0].strip(" .)"), plain[marked.end() :]
        for sentence in _split_sentences(plain):
            found.append(Sentence(sentence, start, kind, number))
            start += len(sentence) + 1
    return Prose(" ".join(item.text for item in found), tuple(found))


def _match_numbering(plain: str) -> re.Match[str] | None:
    """Return the number before a paragraph; "0.02 EUR for each" begins with a figure."""
    marked = _NUMBERING.match(plain)
    if marked is None or marked[0].startswith("0"):
        return None
    [word, *_] = [*plain[marked.end() :].split(), ""]
    # "3.1 Days are calendar days" begins with a number, and a paragraph with a capital.
    is_unit = not word.istitle() and read_unit(word.strip(".,;:)")) != ANY
    return None if is_unit and marked[0].strip()[-1].isdigit() else marked


def _iterate_blocks(text: str) -> Iterator[tuple[str, SentenceKind]]:
    """Yield headings, items of lists, rows of tables and paragraphs."""
    lines: list[str] = []
    kind = SentenceKind.TEXT

    def close() -> Iterator[tuple[str, SentenceKind]]:
        if lines:
            yield "\n".join(lines), kind
            lines.clear()

    for line in text.splitlines():
        opened = _read_kind(line)
        if not line.strip() or opened is not None:
            yield from close()
            kind = SentenceKind.TEXT
        if not line.strip() or _RULER.fullmatch(line):
            continue
        if opened in (SentenceKind.HEADING, SentenceKind.ROW):
            yield line, opened
        else:
            kind = opened or kind
            lines.append(line)
    yield from close()


def _read_kind(line: str) -> SentenceKind | None:
    """Return what begins with a line, None if it goes on with what stands before."""
    if re.match(r"\s{0,3}#+\s", line):
        return SentenceKind.HEADING
    if line.lstrip().startswith("|"):
        return SentenceKind.ROW
    return SentenceKind.ITEM if _ITEM.match(line) else None


def _split_sentences(text: str) -> Iterator[str]:
    start = 0
    for found in _END.finditer(text):
        if not _ABBREVIATION.search(text[: found.start() + 1]):
            yield text[start : found.end()].strip()
            start = found.end()
    if rest := text[start:].strip():
        yield rest
