"""Pieces of a sentence from which nothing comes, where rules come from its other pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.label_mentions import find_labels
from sopforge.sources.items import Item
from sopforge.sources.prose.bounds import read_limits
from sopforge.sources.prose.markers import count_negations, is_binding
from sopforge.sources.prose.sentences import Kind, Sentence
from sopforge.sources.prose.stems import list_stems

_JOINT = re.compile(
    r"(?:[,;]\s+)?\b(or|nor|and|while|whereas|but)\b|([,;:])\s|[()]|\s[\u2013\u2014-]\s",
    re.IGNORECASE,
)
_FORMER = re.compile(r"\b(?:no longer|any ?more|instead of|so far|formerly)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_ALTERNATIVE = frozenset({"or", "nor"})
_OPPOSED = _ALTERNATIVE | {"while", "whereas", "but"}
_ADDED = frozenset({"and", ";"})
_EMPTY = list_stems("otherwise else never always both likewise too so else on not rest like vice")
_SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence, the word or mark before it, and where it stands in its part.

    One that ``leads_in`` stands before a colon.
    """

    text: str
    joint: str
    start: int
    end: int
    leads_in: bool = False

    @property
    def words(self) -> list[str]:
        """Its words in small letters."""
        return [word.lower() for word in _WORD.findall(self.text)]


def split_pieces(sentence: Sentence) -> tuple[Piece, ...]:
    """Return the pieces of a sentence between its marks and the words that join them.

    >>> said = Sentence("It is torn, or it has no seal.", 0, Kind.TEXT, 0)
    >>> [(piece.joint, piece.text) for piece in split_pieces(said)]
    [('', 'It is torn'), ('or', 'it has no seal.')]
    """
    return tuple(piece for piece in _iterate_pieces(sentence) if piece.words)


def _iterate_pieces(sentence: Sentence) -> Iterator[Piece]:
    start, joint = 0, ""
    for found in [*_JOINT.finditer(sentence.text), None]:
        end = found.start() if found else len(sentence.text)
        text = sentence.text[start:end]
        bare = text.strip()
        place = sentence.start + start + len(text) - len(text.lstrip())
        mark = (found[1] or found[2] or "").lower() if found else ""
        yield Piece(bare, joint, place, place + len(bare), mark == ":")
        if found:
            start, joint = found.end(), mark


def find_open_pieces(account: Account, part: str, sentence: Sentence) -> tuple[Piece, ...]:
    """Return the pieces that no passage has, where rules come from others on their own.

    Alternatives, second halves and what is opposed to them; what stands side by side counts once.
    """
    if sentence.kind is Kind.ROW or not _is_bound(account, part, sentence):
        return ()
    if not _is_quoted_in_pieces(account, part, sentence):
        return ()
    pieces = split_pieces(sentence)
    return tuple(
        _join_run(account, part, run)
        for run in _iterate_runs(account, part, pieces)
        if any(_is_said(run[place:], pieces) for place in range(len(run)))
        and not _is_assumed(account, run)
    )


def _iterate_runs(account: Account, part: str, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield the pieces that no passage has, those together that stand side by side."""
    run: list[Piece] = []
    for piece in pieces:
        if not account.is_touched(part, piece.start, piece.end):
            run.append(piece)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _join_run(account: Account, part: str, run: Sequence[Piece]) -> Piece:
    start, end = run[0].start, run[-1].end
    return Piece(account.prose[part].text[start:end], run[0].joint, start, end)


def _is_assumed(account: Account, run: Sequence[Piece]) -> bool:
    """Return whether an assumption says the same: that is for a person to judge."""
    stems = list_stems(" ".join(piece.text for piece in run))
    return any(stems <= list_stems(says) for says in account.assumed.values())


def _is_said(run: Sequence[Piece], pieces: Sequence[Piece]) -> bool:
    """Return whether a piece is one of several that stand side by side, and says something.

    What follows it in its ``run`` belongs to it.
    """
    piece, whole = run[0], " ".join(item.text for item in run)
    if piece.leads_in or len(piece.words) < _SEVERAL or not list_stems(whole) - _EMPTY:
        return False
    if piece.joint in _OPPOSED or _is_parallel(piece, pieces):
        return bool(list_stems(piece.text) - _EMPTY)
    return piece.joint in _ADDED and _is_deciding(whole)


def _is_deciding(text: str) -> bool:
    """Return whether a text may bind, denies something or names a label in quotation marks.

    What holds no longer decides nothing.
    """
    if _FORMER.search(text):
        return False
    return is_binding(text) or bool(count_negations(text)) or '"' in text


def _is_parallel(piece: Piece, pieces: Sequence[Piece]) -> bool:
    """Return whether an alternative follows that begins as a piece does: "if ..., or if ..."."""
    return any(
        other.joint in _ALTERNATIVE and other.words[0] == piece.words[0]
        for other in pieces
        if other.start > piece.start
    )


def _is_bound(account: Account, part: str, sentence: Sentence) -> bool:
    """Return whether a sentence may bind, or what stands before the list of which it is an item."""
    text = sentence.text
    if is_binding(text) or read_limits(text, account.read_quantities(text)):
        return True
    before = [
        other
        for other in account.prose[part].sentences
        if other.start < sentence.start and other.kind is not Kind.ITEM
    ]
    is_item = sentence.kind is Kind.ITEM and bool(before)
    return is_item and before[-1].text.endswith(":") and is_binding(before[-1].text)


def _is_quoted_in_pieces(account: Account, part: str, sentence: Sentence) -> bool:
    """Return whether a rule, an edge or a predicate cites a piece of a sentence."""
    return any(
        _is_condition(account.items[name])
        for passage in account.cited_passages
        if passage.part == part and sentence.start <= passage.start and passage.end <= sentence.end
        for name in passage.items
    )


def _is_condition(item: Item) -> bool:
    return item.needs_source or item.name.startswith("predicates.")


def iterate_held_asides(account: Account) -> Iterator[tuple[Passage, Sentence]]:
    """Yield the pieces of cited sentences that are set aside, though cases in the model are so.

    What says of two labels of a field what holds for them, or that something need not be, is not
    out of scope.
    """
    for passage in account.passages:
        if passage.because != "out of scope":
            continue
        sentences = account.prose[passage.part].list_at(passage.start, passage.end)
        is_piece = len(sentences) == 1 and _is_quoted_in_pieces(account, passage.part, sentences[0])
        if is_piece and _has_held_labels(account, account.quote(passage)):
            yield passage, sentences[0]


def _has_held_labels(account: Account, text: str) -> bool:
    """Return whether a text names labels of a stored field in what may bind, or two of them."""
    counts = [len(find_labels(text, labels)) for labels in account.stored_labels]
    most = max(counts, default=0)
    return most >= _SEVERAL or bool(most and (is_binding(text) or count_negations(text)))
