"""Comparatives that name a field by its thing: "the driver is younger than 23 years".

They say of "the age of the driver" that it is less. Things of which two fields could be meant stay
as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ARTICLE = re.compile("(?:the|a|an) ")
# What a field is called, with what it makes more and less.
_COMPARED = {
    "age": ("older", "younger"),
    "length": ("longer", "shorter"),
    "duration": ("longer", "shorter"),
    "height": ("higher|taller", "lower|shorter"),
    "weight": ("heavier", "lighter"),
    "size": ("larger|bigger", "smaller"),
    "temperature": ("warmer|hotter", "colder|cooler"),
    "speed": ("faster", "slower"),
    "depth": ("deeper", "shallower"),
    "width": ("wider", "narrower"),
    "thickness": ("thicker", "thinner"),
    "price": ("more expensive|dearer", "cheaper|less expensive"),
    "cost": ("more expensive|dearer", "cheaper|less expensive"),
}
_VERBS = {
    "duration": "lasts?|takes?",
    "time": "lasts?|takes?",
    "weight": "weighs?",
    "price": "costs?",
    "cost": "costs?",
}
_DAYS = ("date", "day")
_ENDS = {
    "start date": "starts|started|begins|began",
    "first day": "starts|started|begins|began",
    "start": "starts|started|begins|began",
    "end date": "ends|ended|expires|expired",
    "last day": "ends|ended|expires|expired",
    "end": "ends|ended|expires|expired",
}
_CAUSES = ("cause", "reason")
_KINDS = ("kind", "type")
_HAPPENED = "happened|occurred|took place|happens|occurs|takes place"
_RELATION = (
    "(?:at least|at most|more than|less than|fewer than|over|under|above|below|exactly"
    "|(?:no|not) (?:more|less|fewer) than)"
)
_AMOUNT = rf"(?:{_RELATION} )?-?\d[\d.]* [^ ,;.()]+"


class HeadWords:
    """Words of one domain that say how old, long or heavy things are, by its labels."""

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = _index_things(labels)
        heads = {*_COMPARED, *_VERBS, *_DAYS, *_ENDS, *_CAUSES, *_KINDS}
        things = {thing for thing, head in self.labels if head in heads}
        thing = rf"(?P<article>[Tt]he) (?P<thing>{_join(things)})"
        self.compared = re.compile(
            rf"\b{thing} (?P<be>is|are|was|were) (?P<denied>not |no )?"
            r"(?P<word>[a-z]+(?: expensive)?) than\b"
        )
        self.aged = re.compile(
            rf"\b{thing} (?:is|are|was|were) (?P<denied>not )?(?P<amount>{_AMOUNT}) (?:old|of age)"
            r"(?P<more>(?: or (?:older|more|over|younger|less))?)(?!\w)"
        )
        self.reached = re.compile(
            rf"\b{thing} (?:(?:has|have) (?P<denied>not )?(?:yet )?reached the age of|"
            rf"(?:is|are) (?P<young>not yet)) (?P<amount>\d+ years)(?(young) old)(?!\w)"
        )
        left = {label.removeprefix("remaining ") for label in labels if label[:10] == "remaining "}
        self.left = re.compile(
            rf"\b(?P<amount>{_RELATION} -?\d[\d.]*(?: [^ ,;.()]+)?) of (?P<article>the) "
            rf"(?P<thing>{_join(left)}) (?:remains?|(?:is|are) (?:still )?left)(?!\w)"
        )
        self.lasting = re.compile(
            rf"\b{thing} (?P<verb>{'|'.join(sorted(set(_VERBS.values())))})"
            r" (?P<word>longer than|shorter than|more than|less than|at least|at most|no more than"
            r"|no less than|no longer than)\b"
        )
        self.caused = re.compile(
            rf"\b{thing} (?:is|are|was|were|has been|have been) (?P<denied>not )?"
            r'(?:caused by|due to) (?=(?:either |one of )?")'
        )
        self.being = re.compile(
            rf"\b{thing} (?:is|are|was|were) (?P<denied>not )?(?:either )?an?"
            r' (?="[^"]*"(?! or an? ))'
        )
        self.happened = re.compile(
            rf"\b{thing} (?P<verb>{_HAPPENED}|{'|'.join(sorted(set(_ENDS.values())))})"
            r" (?=(?:[a-z0-9 ]+ )?(?:before|after|(?:earlier|later) than|prior to)\b)"
        )

    def reword(self, text: str) -> str:
        """Return a text with the labels of the fields of which it says that they are more."""
        text = self.compared.sub(self._say_compared, text)
        text = self.left.sub(r"the remaining \g<thing> is \g<amount>", text)
        text = self.aged.sub(self._say_age, text)
        text = self.reached.sub(self._say_reached, text)
        text = self.lasting.sub(self._say_lasting, text)
        text = self.caused.sub(lambda found: self._say_head(found, _CAUSES), text)
        text = self.being.sub(lambda found: self._say_head(found, _KINDS), text)
        return self.happened.sub(self._say_day, text)

    def _say_compared(self, found: re.Match[str]) -> str:
        meant = {}
        for head, (more, less) in _COMPARED.items():
            label = self.labels.get((found["thing"], head))
            word = "more" if re.fullmatch(more, found["word"]) else ""
            word = word or ("less" if re.fullmatch(less, found["word"]) else "")
            if label and word:
                meant[label] = word
        if len(meant) != 1:
            return found[0]
        ((label, word),) = meant.items()
        denied = "not " if found["denied"] else ""
        return f"{found['article']} {label} is {denied}{word} than"

    def _say_age(self, found: re.Match[str]) -> str:
        label = self.labels.get((found["thing"], "age"))
        if not label:
            return found[0]
        more = found["more"].replace("older", "more").replace("younger", "less")
        return f"{found['article']} {label} is {found['denied'] or ''}{found['amount']}{more}"

    def _say_reached(self, found: re.Match[str]) -> str:
        label = self.labels.get((found["thing"], "age"))
        how = "less than" if found["denied"] or found["young"] else "at least"
        return f"{found['article']} {label} is {how} {found['amount']}" if label else found[0]

    def _say_lasting(self, found: re.Match[str]) -> str:
        heads = [head for head, verbs in _VERBS.items() if re.fullmatch(verbs, found["verb"])]
        meant = {self.labels.get((found["thing"], head)) for head in heads} - {None}
        if len(meant) != 1:
            return found[0]
        word = found["word"].replace("longer", "more").replace("shorter", "less")
        return f"{found['article']} {meant.pop()} is {word}"

    def _say_head(self, found: re.Match[str], heads: Iterable[str]) -> str:
        meant = {self.labels.get((found["thing"], head)) for head in heads} - {None}
        if len(meant) != 1:
            return found[0]
        return f"{found['article']} {meant.pop()} is {found['denied'] or ''}"

    def _say_day(self, found: re.Match[str]) -> str:
        ends = [head for head, verbs in _ENDS.items() if re.fullmatch(verbs, found["verb"])]
        meant = {self.labels.get((found["thing"], head)) for head in ends or _DAYS} - {None}
        return f"{found['article']} {meant.pop()} is " if len(meant) == 1 else found[0]


def _index_things(labels: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return the labels by a thing and the head that says what of it, where only one has both."""
    found: dict[tuple[str, str], str] = {}
    twice = set()
    for label in sorted(set(labels)):
        head, of, thing = label.partition(" of ")
        if not of:
            thing, _, head = label.rpartition(" ")
        key = _ARTICLE.sub("", thing, count=1), head
        twice.update([key] if key in found else [])
        found[key] = label
    return {key: label for key, label in found.items() if key[0] and key not in twice}


def _join(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, the longest first."""
    known = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, known)) or "(?!)"
