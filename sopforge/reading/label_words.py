"""Sentences that name a field in other words than its label, put into those with its label.

"The cover check has resulted in", "there are 8 or more earlier claims", "the tube has a clot score
of 2 points" and "its least filling" say "the result of the cover check", "the number of earlier
claims" and so on. Words that could stand for two fields stay as they are, and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from sopforge.reading.clause_words import index_other_clauses
from sopforge.reading.head_words import HeadWords
from sopforge.rendering.sop.frames import is_plain_name

_ASKING = "(?:Calculate|Determine|Establish|Look up|Set|Work out) "
_JOINT = "(?:, and |, | and )"
_WHETHER = rf"(?:whether [^()]+ \(\w+\){_JOINT})*"
_OWNED = re.compile(r"(?P<part>.+?) of (?P<owner>.+)")
_ARTICLE = re.compile("(?:the|a|an) ")
_HEAD = re.compile(" (?:at|by|for|from|in|of|on|to|with) ")
_SHORT = re.compile("\\b(is|are|was|were|has|have|had|does|do|did)n['\u2019]t\\b")
# What a relation, a figure or a quoted word begins with.
_VALUE = (
    r"(?=(?:at (?:least|most)|more than|less than|fewer than|no |not |above|below|over|under"
    r"|higher than|lower than|exactly|up to|-?\d|\"))"
)
_AMOUNT = r"-?\d[\d.]*(?: [^ ,;.()]+){0,2}?"
_COUNT = (
    r"no|(?:at least|at most|more than|less than|fewer than|exactly|over|under|no more than"
    r"|no fewer than|no less than) \d+|\d+(?: or (?:more|fewer|less))?"
)


class PlainNames:
    """The names in brackets that sentences leave out after labels that are these names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        plain = {label: name for label, name in names.items() if is_plain_name(name, label)}
        self.names = plain
        named = rf"the (?P<label>{_join(names)})(?!\w)(?P<named> \()?"
        self.asked = re.compile(rf"{_ASKING}{_WHETHER}{named}")
        self.further = re.compile(rf"{_JOINT}{_WHETHER}{named}")
        self.recorded = re.compile(rf"(?:^Record|,| and) {named}(?= as )")
        self.anywhere = re.compile(named.replace("the ", "[Tt]he ", 1))

    def restore(self, text: str) -> str:
        """Return a sentence that asks for fields, or records them, with their names in brackets.

        >>> names = PlainNames({"final fee": "final_fee", "state": "case_state"})
        >>> names.restore("Determine the final fee. Use the first rule that applies:")
        'Determine the final fee (final_fee). Use the first rule that applies:'
        >>> names.restore('Record the final fee as 0 EUR and the state (case_state) as "paid".')
        'Record the final fee (final_fee) as 0 EUR and the state (case_state) as "paid".'
        """
        if text.startswith("Record "):
            return self.recorded.sub(self._add_name, text)
        found = self.asked.match(text)
        while found is not None:
            text = f"{text[: found.start()]}{self._add_name(found)}{text[found.end() :]}"
            end = text.find(")", found.end() - 1) + 1
            found = self.further.match(text, end) if end else None
        return text

    def iterate_named(self, text: str) -> Iterator[str]:
        """Yield a sentence with the name of one of its fields in brackets, for each in turn."""
        for found in self.anywhere.finditer(text):
            if found["label"] in self.names and not found["named"]:
                yield f"{text[: found.start()]}{self._add_name(found)}{text[found.end() :]}"

    def _add_name(self, found: re.Match[str]) -> str:
        name = self.names.get(found["label"])
        return f"{found[0]} ({name})" if name and not found["named"] else found[0]


class LabelWords:
    """Words for the fields of one domain, by their labels and the clauses of yes/no fields."""

    def __init__(self, labels: Iterable[str], clauses: Iterable[str] = ()) -> None:
        self.labels = {label for label in labels if label}
        self.owned = _index_parts(self.labels)
        self.results = {
            owner: label for (owner, part), label in self.owned.items() if part == "result"
        }
        self.numbers = {
            found["owner"]: label
            for label in self.labels
            for found in [_OWNED.fullmatch(label)]
            if found is not None and found["part"] == "number"
        }
        self.singles = {
            what.removesuffix("s"): label
            for what, label in self.numbers.items()
            if what.endswith("s")
        }
        self.clauses = index_other_clauses(clauses)
        self.heads = HeadWords(self.labels)
        self.owners = {owner for owner, _ in self.owned}
        owners = _join(self.owners)
        parts = _join({part for _, part in self.owned})
        known = _join(self.labels)
        self.clause = re.compile(rf"\b(?:{_join(self.clauses)})(?!\w)")
        self.label = re.compile(rf"(?:(?P<its>\bits (?P<part>{parts}))|\b(?:{known}))(?!\w)")
        self.other = re.compile(
            rf"(?:\b(?:those|that) of (?:the )?(?P<owner>{owners})|\b(?P<label>{known}))(?!\w)"
        )
        self.result = re.compile(
            rf"\b([Tt]he) (?P<owner>{_join(self.results)}) (?:(?P<denied>(?:has not resulted"
            r'|(?:did|does) not result))|has resulted|resulted|results) in (?=either "|")'
            rf"|\b(?P<the>[Tt]he) (?P<gives>{_join(self.results)}) (?:gave|gives|has given|yielded"
            r'|yields) the result (?=either "|")'
        )
        self.having = re.compile(
            rf"\b([Tt]he) (?P<owner>{owners}) (?:has|have|shows?) an? (?P<part>{parts}) (?:of )?"
            + _VALUE
        )
        self.within = re.compile(
            r"\b(?P<before>[Ii]f|[Ww]here|[Ww]hen|and|or|either|both),? (?:in|for|at|on|within)"
            rf" the (?P<owner>{owners}), (?P<the>the) (?P<part>{parts})(?!\w)"
        )
        self.inside = re.compile(
            rf"\b(?P<the>[Tt]he) (?P<part>{parts}) (?P<where>in|for|at|on|within) the"
            rf" (?P<owner>{owners})(?!\w)"
        )
        self.whose = re.compile(
            rf"\b(?P<the>[Tt]he) (?P<owner>{owners})['\u2019]s? (?P<part>{parts})(?!\w)"
        )
        self.same = re.compile(
            rf"\b(?P<the>[Tt]he) (?!(?:{known})(?!\w))(?:(?P<part>{parts}) of (?:that|this|the same"
            rf"|the) (?P<noun>\w+)|(?P<whose>\w+)['\u2019]s (?P<own>{parts}))(?!\w)"
            rf"|\b(?P<label>{known})(?!\w)"
        )
        self.entries = re.compile(
            rf"\b(?P<the>[Tt]he) (?P<owner>{owners}) (?:has|have|shows?)"
            rf" (?:at least one|one or more) (?P<part>{parts})(?=$|[.,;:)]| and | or | as well\b)"
        )
        self.kind = re.compile(
            rf"\b([Tt]he) (?P<owner>{owners}) (?P<be>is|are) (?P<denied>not )?of (?:the )?"
            rf"(?P<part>{parts}) (?=\")"
        )
        self.there = re.compile(
            rf"\b([Tt]here) (?:is|are) (?P<how>{_COUNT}) (?P<what>{_join(self.numbers)})(?!\w)"
        )
        self.each = re.compile(
            rf"(?P<amount>{_AMOUNT}) for (?:each|every) (?P<what>{_join(self.singles)})(?!\w)"
        )
        self.opening = re.compile(
            r"^(?:With|At|Given|For|In case of|In the case of|In the event of) an? "
            rf"(?P<label>{known}) (?:of )?{_VALUE}"
        )
        self.accepted = re.compile(
            rf"^(?P<tool>\w+) (?:accepts only|only accepts|takes only|only takes) an? "
            rf"(?P<label>{known}) (?:of )?{_VALUE}"
        )
        self.plural = re.compile(rf"\b(?P<label>{known})s (?=\"[^\"]*\" (?:and|or|nor) \")")
        self.malformed = re.compile(
            rf"\bbecause (?:of|there is) an? malformed (?P<label>{known})(?!\w)"
        )

    def reword(self, text: str) -> str:
        """Return a text with the labels of the fields that it means; quoted words are no names."""
        text = _SHORT.sub(r"\1 not", text)
        text = self.clause.sub(lambda found: self.clauses[found[0]], text)
        text = self.heads.reword(text)
        text = self.within.sub(self._say_owned, text)
        text = self.inside.sub(self._say_owned, text)
        text = self.whose.sub(self._say_owned, text)
        text = self.result.sub(self._say_result, text)
        text = self.having.sub(self._say_part, text)
        text = self.kind.sub(self._say_part, text)
        text = self.entries.sub(self._say_entries, text)
        text = self.there.sub(self._say_number, text)
        text = self.each.sub(self._say_product, text)
        text = self.opening.sub(r"If the \g<label> is ", text)
        text = self.accepted.sub(r"\g<tool> requires that the \g<label> is ", text)
        text = self.plural.sub(r"\g<label> ", text)
        text = self.malformed.sub(r"because the \g<label> is malformed", text)
        return self._name_own_parts(self._name_same_parts(self._name_other_parts(text)))

    def _say_result(self, found: re.Match[str]) -> str:
        denied = " not" if found["denied"] else ""
        label = self.results[found["owner"] or found["gives"]]
        return f"{found[1] or found['the']} {label} is{denied} "

    def _say_part(self, found: re.Match[str]) -> str:
        label = self.owned.get((found["owner"], found["part"]))
        if label is None:
            return found[0]
        denied = found.groupdict().get("denied") or ""
        return f"{found[1]} {label} is {denied}"

    def _say_owned(self, found: re.Match[str]) -> str:
        """Return a label for what is said to be in its thing, or to be its thing's."""
        label = self.owned.get((found["owner"], found["part"]))
        said = found.groupdict()
        if label is None or f"{found['part']} {said.get('where')} {found['owner']}" in self.labels:
            return found[0]
        return f"{said['before'] + ' ' if said.get('before') else ''}{found['the']} {label}"

    def _name_same_parts(self, text: str) -> str:
        """Return a text with a label for "the filling of that tube", where one tube was named."""
        seen: set[str] = set()

        def name(found: re.Match[str]) -> str:
            if found["label"]:
                seen.update(_list_things(found[0]))
                return found[0]
            noun, part = found["noun"] or found["whose"], found["part"] or found["own"]
            things = {thing for thing in self.owners & seen if thing.split()[-1] == noun}
            known = {self.owned.get((thing, part)) for thing in things}
            label = known.pop() if len(known) == 1 else None
            return f"{found['the']} {label}" if label else found[0]

        return self.same.sub(name, text)

    def _say_entries(self, found: re.Match[str]) -> str:
        label = self.owned.get((found["owner"], found["part"]))
        return f"{found['the']} {label} have at least one entry" if label else found[0]

    def _say_number(self, found: re.Match[str]) -> str:
        article = "The" if found[1] == "There" else "the"
        how = "0" if found["how"] == "no" else found["how"]
        return f"{article} {self.numbers[found['what']]} is {how}"

    def _say_product(self, found: re.Match[str]) -> str:
        return f"(the {self.singles[found['what']]} times {found['amount']})"

    def _name_other_parts(self, text: str) -> str:
        """Return a text with a label for "those of the tube": what was named last, of another."""
        last = ""

        def name(found: re.Match[str]) -> str:
            nonlocal last
            if found["label"]:
                last = found["label"]
                return found[0]
            part = _OWNED.fullmatch(last)
            label = self.owned.get((found["owner"], part["part"])) if part else None
            return f"the {label}" if label else found[0]

        return self.other.sub(name, text)

    def _name_own_parts(self, text: str) -> str:
        """Return a text with a label for "its filling", where only one thing before has that."""
        seen: set[str] = set()

        def name(found: re.Match[str]) -> str:
            if not found["its"]:
                seen.update(_list_things(found[0]))
                return found[0]
            known = {self.owned.get((thing, found["part"])) for thing in seen} - {None}
            return f"the {known.pop()}" if len(known) == 1 else found[0]

        return self.label.sub(name, text)


def _index_parts(labels: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return the labels by what has something and what it has, where only one is called so."""
    found: dict[tuple[str, str], str] = {}
    twice = set()
    for label in labels:
        words = _OWNED.fullmatch(label)
        if words is None:
            continue
        key = _ARTICLE.sub("", words["owner"], count=1), words["part"]
        twice.update([key] if key in found else [])
        found[key] = label
    return {key: label for key, label in found.items() if key not in twice}


def _list_things(label: str) -> Iterator[str]:
    """Yield what a label names: the whole, what it begins with, and what it is of."""
    yield label
    yield _HEAD.split(label)[0]
    owned = _OWNED.fullmatch(label)
    if owned is not None:
        yield owned["owner"].removeprefix("the ")


def _join(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, the longest first."""
    known = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, known)) or "(?!)"
