"""What changed in a text: its passages, and in a reworded one its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from sopforge.errors import MaterialError
from sopforge.language.domain.documents.yaml_documents import rewrite_document

_SUFFIXES = (".md", ".txt", ".py", ".yaml")
_NO_TEXTS = ("dataset/",)
"""Tables and reports, whose changes show in the tasks."""
_LAID_OUT = ".yaml"
_LEVELS = "complexity"
_WORDS = re.compile(r"\s+|\d+(?:[.,:/-]\d+)*|\w+|[^\w\s]")
_ALIKE = 0.6
_MOST_PAIRS = 2_500
_MOST_WORD_PAIRS = 4_000_000


class Mark(StrEnum):
    """What became of some words, or of a passage."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    REWORDED = "reworded"


@dataclass(frozen=True, slots=True)
class Words:
    """Some words of a passage, and whether both texts have them, or only one."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class TextPassage:
    """A passage that one text lacks, or that both have in other words.

    ``words`` read one after the other give the old passage without those that are added, and the
    new one without those that are removed. ``line`` is that of the new text, of a passage that is
    removed the one before which it stood.
    """

    mark: Mark
    line: int
    words: tuple[Words, ...]

    @property
    def before(self) -> str:
        """The passage in the old text, "" where it is added."""
        return "".join(item.text for item in self.words if item.mark is not Mark.ADDED)

    @property
    def after(self) -> str:
        """The passage in the new text, "" where it is removed."""
        return "".join(item.text for item in self.words if item.mark is not Mark.REMOVED)


@dataclass(frozen=True, slots=True)
class TextChange:
    """A file that changed; one that only one side has is added or removed as a whole.

    Where both texts ``are_laid_out``, each is compared as this program writes what it says: layout
    and comments are left out of it, and lines are those of that layout.
    """

    file: str
    mark: Mark
    passages: tuple[TextPassage, ...]
    are_laid_out: bool = False

    @property
    def level(self) -> str:
        """The complexity level whose file it is, empty for the plain one."""
        parts = self.file.split("/")
        return parts[1] if parts[0] == _LEVELS else ""

    @property
    def plain_file(self) -> str:
        """The file of the plain level that it stands for."""
        return self.file.removeprefix(f"{_LEVELS}/{self.level}/") if self.level else self.file

    def count(self, mark: Mark) -> int:
        """Return how many passages are so marked."""
        return sum(1 for passage in self.passages if passage.mark is mark)


def compare_texts(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[TextChange, ...]:
    """Return the texts that differ, in the order of the new files; files are ``stage/name``."""
    names = [name for name in {**new, **old} if is_text(name)]
    return tuple(
        _compare_text(name, old.get(name), new.get(name))
        for name in names
        if old.get(name) != new.get(name)
    )


def is_text(name: str) -> bool:
    """Return whether a file is read as a text."""
    return name.endswith(_SUFFIXES) and not any(part in f"{name}/" for part in _NO_TEXTS)


def compare_passages(old: str, new: str) -> tuple[TextPassage, ...]:
    """Return the passages in which two texts differ; a passage is a line that is not blank."""
    before, after = _split_passages(old), _split_passages(new)
    # From 200 lines on, autojunk would leave lines that repeat unmatched.
    matcher = SequenceMatcher(
        None, [text for _, text in before], [text for _, text in after], autojunk=False
    )
    found: list[TextPassage] = []
    for kind, low, high, start, end in matcher.get_opcodes():
        if kind != "equal":
            line = after[start][0] if start < len(after) else len(new.splitlines()) + 1
            found += _compare_block([text for _, text in before[low:high]], after[start:end], line)
    return tuple(found)


def compare_words(old: str, new: str) -> tuple[Words, ...]:
    """Return two passages as words that stayed, went and came, in this order at each place.

    Passages of thousands of words, such as data, are shown as a whole.
    """
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    # The matcher takes time with the product of the two.
    if len(before) * len(after) > _MOST_WORD_PAIRS:
        return (Words(Mark.REMOVED, old), Words(Mark.ADDED, new))
    found: list[Words] = []
    for kind, low, high, start, end in _make_matcher(before, after).get_opcodes():
        gone, come = "".join(before[low:high]), "".join(after[start:end])
        if kind == "equal":
            found.append(Words(Mark.SAME, gone))
            continue
        if gone:
            found.append(Words(Mark.REMOVED, gone))
        if come:
            found.append(Words(Mark.ADDED, come))
    return tuple(found)


def _compare_text(name: str, old: str | None, new: str | None) -> TextChange:
    passages = compare_passages(old or "", new or "")
    if old is None or new is None:
        return TextChange(name, Mark.ADDED if old is None else Mark.REMOVED, passages)
    # What was written anew as a whole has other lines, though it may say nearly the same.
    lines = max(len(_split_passages(old)), len(_split_passages(new)))
    if name.endswith(_LAID_OUT) and len(passages) > lines / 2:
        with suppress(MaterialError):  # Nobody can read one of them: they are compared as they are.
            alike = compare_passages(rewrite_document(old, name), rewrite_document(new, name))
            if len(alike) < len(passages) / 2:
                return TextChange(name, Mark.REWORDED, alike, are_laid_out=True)
    return TextChange(name, Mark.REWORDED, passages)


def _split_passages(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.splitlines(), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def _make_matcher(old: Sequence[str], new: Sequence[str]) -> SequenceMatcher[str]:
    # Spaces stand everywhere: to match them alone would tear words apart.
    # By itself the matcher takes frequent words of a long text for junk as well, such as "the".
    return SequenceMatcher(str.isspace, old, new, autojunk=False)


def _compare_block(
    old: Sequence[str], new: Sequence[tuple[int, str]], line: int
) -> Iterator[TextPassage]:
    """Return what became of the passages of one place, each with the one that is most like it."""
    partners = _match_passages(old, [text for _, text in new])
    gone = 0
    for place, (number, text) in enumerate(new):
        partner = partners.get(place)
        if partner is None:
            yield TextPassage(Mark.ADDED, number, (Words(Mark.ADDED, text),))
            continue
        for lost in old[gone:partner]:
            yield TextPassage(Mark.REMOVED, number, (Words(Mark.REMOVED, lost),))
        yield TextPassage(Mark.REWORDED, number, compare_words(old[partner], text))
        gone = partner + 1
    end = new[-1][0] + 1 if new else line
    for lost in old[gone:]:
        yield TextPassage(Mark.REMOVED, end, (Words(Mark.REMOVED, lost),))


def _match_passages(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return by the place of a new passage the old one that it rewords; none cross."""
    if len(old) * len(new) > _MOST_PAIRS:
        return {}
    before = [_count_words(text) for text in old]
    found: dict[int, int] = {}
    start = 0
    for place, text in enumerate(new):
        words = _count_words(text)
        likeness = {
            other: _compute_likeness(before[other], words) for other in range(start, len(old))
        }
        best = max(likeness, key=likeness.__getitem__, default=None)
        if best is not None and likeness[best] >= _ALIKE:
            found[place] = best
            start = best + 1
    return found


def _count_words(text: str) -> Counter[str]:
    return Counter(word.lower() for word in _WORDS.findall(text) if not word.isspace())


def _compute_likeness(old: Counter[str], new: Counter[str]) -> float:
    """Return the share of words that two passages have in common, in whatever order."""
    return 2 * (old & new).total() / max(1, old.total() + new.total())
