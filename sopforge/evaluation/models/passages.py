"""An SOP in passages, and those of them that say most about a question."""

from __future__ import annotations

import re
from functools import cached_property

import bm25s
from bm25s.stopwords import STOPWORDS_EN

LONGEST = 1200
"""Characters of a passage; a paragraph that is longer stays whole."""
FOUND = 5
_HEADING = re.compile(r"^(#+ .+|\d+(\.\d+)*\.? \S.{0,78})$")


class PassageIndex:
    """The passages of an SOP, each with the heading that it stands under, searched by BM25."""

    def __init__(self, sop: str) -> None:
        """Cut an SOP into passages."""
        self.passages, self.headings = cut_passages(sop)

    @cached_property
    def _index(self) -> bm25s.BM25:
        index = bm25s.BM25()
        index.index(_cut_words(self.passages), show_progress=False)
        return index

    def find(self, query: str) -> str:
        """Return the passages that share words with a query, the closest first."""
        words = _cut_words([query])
        count = min(FOUND, len(self.passages))
        places, scores = self._index.retrieve(words, k=count, show_progress=False)
        chosen = [
            self.passages[place]
            for place, score in zip(places[0].tolist(), scores[0].tolist(), strict=True)
            if score > 0
        ]
        return "\n\n".join(chosen)


def cut_passages(sop: str) -> tuple[list[str], list[str]]:
    """Return the passages of an SOP, and its headings in order.

    Passages begin at headings, and at a paragraph that would make one too long; each begins with
    its heading.
    """
    passages: list[str] = []
    headings: list[str] = []
    heading, body = "", ""
    for line in [*sop.split("\n"), None]:
        is_heading = line is not None and bool(_HEADING.match(line))
        if body.strip() and (line is None or is_heading or len(body) + len(line) > LONGEST):
            passages.append(f"{heading}\n{body.strip()}".strip())
            body = ""
        if line is not None and is_heading:
            heading = line.strip()
            headings.append(heading)
        elif line is not None:
            body += f"{line}\n"
    return passages, headings


def _cut_words(texts: list[str]) -> list[list[str]]:
    found = [re.findall(r"\w+", text.lower()) for text in texts]
    return [[word for word in words if word not in STOPWORDS_EN] for words in found]
