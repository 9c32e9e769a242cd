"""Sentences of an SOP in other words, put into those that the reader knows.

A person who edits an SOP writes "exceeds" or "no later than" where the rules say "is more than"
and "on or before". ``rewordings.yaml`` lists such words with what they mean, so that what is read
is still what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import yaml

from sopforge.reading.bound_words import name_list, reword_bounds
from sopforge.reading.call_words import reword_call, reword_ending, reword_refusal
from sopforge.reading.clause_words import reword_numbered_days
from sopforge.reading.formula_words import reword_formula
from sopforge.reading.label_words import LabelWords
from sopforge.reading.sop_passages import Passage
from sopforge.rendering.sop.sections.tables import IN_ALL_OTHER_CASES

_TABLES = [Path(__file__).with_name(f"{name}.yaml") for name in ("sentence_words", "rewordings")]
_FIND = (
    "look up|find|read off|read|take|get|obtain|determine|choose|select|establish|settle|decide on"
    "|decide|calculate|compute|work out|derive|identify|assess|set|fix|ascertain|pick"
)
_IF = "if|when|where|whenever|in case|as soon as|once|as long as|provided that|provided"
_GO = (
    "go to|go on to|go on with|go back to|go directly to|go straight to|proceed to|proceed with"
    "|continue to|continue with|continue at|move to|move on to|carry on with|carry on at|jump to"
    "|skip to|turn to|return to"
)
# What the domain or the document names has a mark in its place, which no pattern changes.
_MARKS = {
    "label": "\ue000{}\ue001",
    "quoted": "\ue002{}\ue001",
    "place": "\ue003{}\ue001",
    "clause": "\ue004{}\ue001",
}
_MARKED = re.compile("[\ue000\ue002\ue003\ue004](\\d+)\ue001")
_PLACE = re.compile(r"(?:(?<=[Ss]tep )|(?<=[Nn]ext step is ))\d+\.\d+ \([^)]*\)")
_SHORTHANDS = {
    "TARGET": r"((?:the LABEL|whether CLAUSE) \(\w+\)(?:, in [^:,\"]+?)?)",
    "KEYS": "(the LABEL(?: and the LABEL)?)",
    "TABLEBIG": "(?:This table|The table below|The following table)",
    "TABLE": "(?:this table|the (?:following )?table(?: below)?|the table that follows)",
    "FINDSMALL": f"(?:{_FIND})",
    "FIND": f"(?:{'|'.join(word.capitalize() for word in _FIND.split('|'))})",
    "IFS": f"(?:{'|'.join(word.capitalize() for word in _IF.split('|'))})",
    "IF": f"(?:{_IF})",
    "BY": (
        "(?:by|for|from|according to|using|depending on|based on|on the basis of|given|for each"
        "|for each combination of|against|by means of|by reference to|in line with"
        "|in accordance with)"
    ),
    "OTHERS": (
        "(?:[Oo]therwise|[Ee]lse|[Ii]f not|[Ii]n (?:all|any|every) other cases?|[Ff]ailing that"
        "|[Ii]n (?:all )?the (?:other|remaining) cases|[Ff]or everything else"
        "|[Ii]f (?:this|that) is not (?:so|the case)|[Ii]f neither (?:is the case|applies|holds)"
        "|[Ii]f none of (?:this|these|it) (?:applies|apply|is so|holds)"
        "|[Ii]n (?:any|every) (?:remaining case|case not (?:listed|named|covered) above))"
    ),
    "ENTRIES": (
        "the (?:entries of all(?: the)? (?:lines|rules)|entry of (?:every|each) (?:line|rule))"
        "(?: below)? (?:that|which) (?:apply|applies)"
    ),
    "EMPTIED": (
        r"?(?:[;,.]|, and) (?:(?:[Ii]f|[Ww]here|[Ww]hen) (?:none|no line|no rule|none of them)"
        r" (?:applies|apply|does), (?:the list (?:is|stays|remains) empty|there is no entry)"
        r"|[Tt]he list is empty (?:if|where|when) (?:none|no line|no rule|none of them)"
        r" (?:applies|apply|does))"
    ),
    "GOBIG": f"(?:{'|'.join(word.capitalize() for word in _GO.split('|'))})",
    "GO": f"(?:{_GO})",
    "CODE": r"(?:the (?:refusal |error )?code |code )?(\w+)",
    "VALUE": (
        r"(?:(?:the )?LABEL|-?\d|\(|(?:half|twice|double|if|where|add|apply|deduct|divide|multiply"
        r"|subtract|take|a quarter of)\b|the (?:sum|number|smaller|larger|lower|higher|lesser"
        r"|greater|percentage|total|product|smallest|largest|lowest|highest|greatest|average"
        r"|quotient)\b)"
    ),
    "FACT": "(?:the LABEL|CLAUSE)",
    "CLAUSE": "\ue004\\d+\ue001",
    "REST": (
        r"((?:is|are|has|have|was|were|do|does|includes?|exceeds?|reach|reaches|equals?|falls?"
        r"|lies?|contains?) (?:(?! and | or (?!\"))(?:[^,;.:()]|\.(?=\d)))+)"
    ),
    "LABEL": "\ue000\\d+\ue001",
    "PLACE": "\ue003\\d+\ue001",
    "FIGURE": r"(-?\d[\d.]*(?: (?!or )[^ ,;.()]+){0,3}?)",
}
# A person leaves articles out where a rule never does.
_BARE_LABEL = re.compile(
    "(?<!the )(?<!The )(?<!whose )(?<!its )(?<!whether )(?<!entry's )(?<!\\d )"
    "(?<!, in )(?<! a )(?<! an )(?<! no )(?<!A )(?<!An )(?<![\\w(])(\ue000\\d+\ue001)"
    "(?!\\))"
)
_OTHERS = re.compile("(?:otherwise|in (?:all|any|every) other cases?|every other case|else)")
_CALL = re.compile("Call the tool |(?:Call|Give|Hand|Invoke|Pass|Query|Run|Use) (?!the \ue000)")


def reword_passages(
    passage: Passage, labels: Iterable[str], clauses: Iterable[str] = ()
) -> tuple[Passage, ...]:
    """Return a passage in the words that the reader knows, as several where it says several."""
    reworded = reword_passage(passage, labels, clauses)
    *others, last = reworded.text.split("\n")
    parts = (replace(reworded, text=text, items=[], rows=[]) for text in others)
    return (*parts, replace(reworded, text=last))


def reword_passage(passage: Passage, labels: Iterable[str], clauses: Iterable[str] = ()) -> Passage:
    """Return a passage in the words that the reader knows, as far as it has other words for them.

    ``labels`` are the names of the domain, and ``clauses`` what stands for its yes/no fields:
    nothing is replaced in them.
    """
    rewording = _build_rewording(tuple(labels), tuple(clauses))
    passage = name_list(passage)
    header, *body = passage.rows or [[]]
    rows = [[rewording.reword_cell(cell) for cell in row] for row in body]
    return replace(
        passage,
        text=rewording.reword(passage.text),
        items=[rewording.reword(item) for item in passage.items],
        rows=[header, *rows] if passage.rows else [],
    )


@cache
def _load_patterns() -> list[tuple[re.Pattern[str], str]]:
    tables = [yaml.safe_load(table.read_text(encoding="utf-8")) for table in _TABLES]
    return [
        (re.compile(_expand(pattern)), words)
        for groups in tables
        for entries in groups.values()
        for pattern, words in entries
    ]


def _expand(pattern: str) -> str:
    for name, expanded in _SHORTHANDS.items():
        pattern = pattern.replace(name, expanded)
    return pattern


class _Rewording:
    """Rewords texts of one domain."""

    def __init__(self, labels: Iterable[str], clauses: Iterable[str]) -> None:
        self.names = LabelWords(labels, clauses)
        known, said = _join(labels), _join(clauses)
        # A name in brackets after its label, "the excess (excess)", is no label.
        self.aside = re.compile(
            rf"(?P<clause>\b(?:{said})(?!\w))"
            rf"|(?P<label>(?<!\()\b(?:{known})(?!\w)|\b(?:{known})(?![\w)]))"
        )

    def reword(self, text: str) -> str:
        kept: list[str] = []

        def put_aside(words: str, kind: str) -> str:
            if words not in kept:
                kept.append(words)
            return _MARKS[kind].format(kept.index(words))

        parts = re.split(r'"([^"]*)"', reword_ending(reword_refusal(reword_call(text))))
        # Each second part stood between quotation marks.
        parts[1::2] = [f'"{put_aside(part, "quoted")}"' for part in parts[1::2]]
        text = _PLACE.sub(lambda found: put_aside(found[0], "place"), "".join(parts))
        text = self.names.reword(text)
        text = self.aside.sub(lambda found: put_aside(found[0], found.lastgroup or ""), text)
        if not _CALL.match(text):  # there, a word may be the name of an entry
            text = _BARE_LABEL.sub(r"the \1", text)
        parts = [reword_formula(reword_numbered_days(text))]
        for pattern, words in _load_patterns():
            # To search first is faster: a replacement is parsed before the pattern is tried.
            if any(map(pattern.search, parts)):
                parts = [one for part in parts for one in pattern.sub(words, part).split("\n")]
        text = "\n".join(reword_formula(reword_bounds(part)) for part in parts)
        return _MARKED.sub(lambda found: kept[int(found[1])], text)

    def reword_cell(self, cell: str) -> str:
        """Return a cell as it stands after the name of its column and "is"."""
        if _OTHERS.fullmatch(cell):
            return IN_ALL_OTHER_CASES
        return cell if cell.startswith('"') else self.reword(f"is {cell}").removeprefix("is ")


@lru_cache(maxsize=32)
def _build_rewording(labels: tuple[str, ...], clauses: tuple[str, ...]) -> _Rewording:
    return _Rewording(labels, clauses)


def _join(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, the longest first."""
    known = sorted({word for word in words if word}, key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, known)) or "(?!)"
