"""The verb after a label, the unit after a figure, and how several things are listed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase

from sopforge.domain.values.types import NumberType, ValueType, to_cell

SHOWN_PLACES = 2
_ASIDES = re.compile(r" \((?:or (?:before|after) it|in percent|rounded to [^()]+)\)")
"""What follows a distance in either order, a rate, or a share that is rounded by itself."""
# Shorter words that end with s are mostly one thing: gas, yes.
_SHORTEST_PLURAL = 4
_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman"}
_PLURALS = frozenset({*_IRREGULAR, "data", "criteria"})
_PERCENT = frozenset({"percent", "per cent", "%"})
_UNCLEAR_PLURALS = (
    *("yses", "oses", "uses", "eses"),
    *("dices", "rtices", "trices"),
    *("knives", "lives", "wives", "halves", "leaves", "loaves", "hooves", "calves", "scarves"),
    *("elves", "thieves", "wolves"),
)
"""Endings of plurals whose singulars no rule gives: analyses, indices, shelves."""
_IN_IE = frozenset({"ties", "pies", "dies", "lies", "movies", "cookies", "calories", "neckties"})
"""Plurals of words in "ie"; others of this ending are of words in "y"."""
KINDS = ("kind", "type", "class", "category", "grade", "sort")
"""Labels of what says which of several things something is: "of the kind ..."."""
_VERBS = frozenset({"has", "had", "is", "was", "needs", "can", "may", "must"})
_SINGULARS = frozenset(
    {
        *("series", "species", "news", "diabetes", "lens", "bias", "canvas", "atlas", "alias"),
        *("gross", "chaos", "always", "overseas", "means"),
    }
)
_PREPOSITIONS = frozenset(
    {
        *("of", "at", "for", "in", "on", "since", "to", "from", "by", "with", "without", "per"),
        *("after", "before", "under", "over", "until", "within", "about", "against", "that"),
        *("between", "during", "through", "above", "below", "than", "as", "who", "which"),
    }
)
_AFTER_NOUNS = frozenset(
    {
        *("remaining", "outstanding", "pending", "overdue", "left", "due", "taken", "given"),
        *("paid", "spent", "made", "sent", "held", "lost", "sold", "worn", "driven", "chosen"),
        *("already", "still", "now", "currently", "recently", "so", "yet", "back", "found"),
    }
)


_SAME_VERBS = ("had", "did", "may", "can", "cannot", "could", "must")
_PLURAL_VERBS = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    **{verb: verb for verb in _SAME_VERBS},
}
"""Verbs of one thing, with what stands in their place of several."""


def conjugate_be(label: str) -> str:
    """Return "are" after a label whose noun is plural, as far as its form shows, else "is"."""
    words = _trim_to_noun(label)
    return "are" if words and _is_plural(words[-1]) else "is"


_CLAUSE = re.compile(
    r"(?P<subject>the [^\"(),\d]+?) (?:is|are|was|were|has|have|had|does|do|did|may|can|needs?) "
)


def find_clause_subject(clause: str) -> str:
    """Return whom or what a clause says something of, "" where that is not clear.

    >>> find_clause_subject("the vehicle is not taxed")
    'the vehicle'
    """
    found = _CLAUSE.match(clause)
    return found["subject"] if found else ""


def find_noun(label: str) -> str:
    """Return the noun of a label, in the singular or the plural.

    >>> find_noun("guidance appointment of the member")
    'appointment'
    """
    return (_trim_to_noun(label) or [""])[-1]


def singularize_label(label: str) -> str:
    """Return what one of several things is called, "" for a label from which it is not clear.

    >>> singularize_label("lines of the claim")
    'line of the claim'
    """
    *before, noun = _trim_to_noun(label) or [""]
    is_irregular = noun in _PLURALS - {*_IRREGULAR} or noun.endswith(_UNCLEAR_PLURALS)
    if is_irregular or not _is_plural(noun):
        return ""
    after = label.split()[len(before) + 1 :]
    return " ".join([*before, _singularize_word(noun), *after])


_OF_MEASURE = frozenset(
    {
        *("minutes", "hours", "days", "nights", "weeks", "months", "years", "times", "points"),
        *("units", "litres", "metres", "kilometres", "grams", "kilograms", "percent"),
    }
)
"""Of what is measured in these, a number says how much there is, and not how many."""


STATES = frozenset(
    {
        *("missing", "overdue", "outstanding", "open", "pending", "unpaid", "unsigned"),
        *("waiting", "closed", "lacking", "remaining", "unresolved", "incomplete", "expired"),
        *("broken", "lost"),
    }
)
"""Words before what is counted that may stand after it, too: "missing papers", "are missing"."""


_LONGEST_THING = 3
"""A longer name of a thing stands before no verb."""


def phrase_any(item: str, items: str, number: str) -> str:
    """Return that there is one of some things, or none, "" where another number is meant.

    >>> phrase_any("missing paper", "missing papers", "at least one")
    'any paper is missing'
    >>> phrase_any("previous order", "previous orders", "no")
    'there are no previous orders'
    """
    if number not in {"at least one", "no"}:
        return ""
    state, _, thing = item.partition(" ")
    if not thing or state not in STATES or len(thing.split()) > _LONGEST_THING:
        return f"there are no {items}" if number == "no" else f"there is {number} {item}"
    return f"{'no' if number == 'no' else 'any'} {thing} is {state}"


def find_counted_item(label: str) -> str:
    """Return what one of the things is called of which a label names the number, "" for others.

    >>> find_counted_item("number of missing papers")
    'missing paper'
    """
    counted = label.removeprefix("number of ")
    if counted == label or not _OF_MEASURE.isdisjoint(counted.split()):
        return ""
    return singularize_label(counted)


def add_article(noun: str) -> str:
    """Return a noun after "a" or "an"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


_NAMES_OF_OFFICES = frozenset(
    {
        *("accounting", "accounts", "administration", "assurance", "compliance", "control"),
        *("dispatch", "engineering", "finance", "logistics", "maintenance", "management"),
        *("marketing", "operations", "payroll", "procurement", "production", "purchasing"),
        *("reception", "sales", "security", "transport"),
    }
)


def name_office(office: str) -> str:
    """Return an office or a person as a sentence names it.

    >>> name_office("quality assurance")
    'quality assurance'
    >>> name_office("claims adjuster")
    'the claims adjuster'
    >>> name_office("head of quality assurance")
    'the head of quality assurance'
    """
    is_office = office.rsplit(" ", 1)[-1] in _NAMES_OF_OFFICES and " of " not in office
    is_name = is_office and office[:1].islower()
    return office if is_name else f"the {office}"


def conjugate_after(office: str, verb: str) -> str:
    """Return a verb, given as it follows one, as it follows an office.

    >>> conjugate_after("stores", "takes"), conjugate_after("store", "carries")
    ('take', 'carries')
    """
    if conjugate_be(office) == "is":
        return verb
    return f"{verb.removesuffix('ies')}y" if verb.endswith("ies") else verb.removesuffix("s")


def _trim_to_noun(label: str) -> list[str]:
    """Return the words of a label up to its noun."""
    words = label.split()
    # From the second word on: a label that begins with a preposition keeps its noun.
    for place, word in enumerate(words[1:], start=1):
        if word.lower() in _PREPOSITIONS | {"the", "a", "an"}:
            words = words[:place]
            break
    is_cut = len(words) < len(label.split())
    while len(words) > 1 and _is_after_noun(words[-1], words[-2], is_cut=is_cut):
        words.pop()
    return words


def _is_after_noun(word: str, before: str, *, is_cut: bool) -> bool:
    """Return whether a word says more of the noun before it, as in "rooms leaving the block"."""
    is_doing = is_cut and word.endswith("ing") and _is_plural(before)
    return word.endswith("ed") or word.lower() in _AFTER_NOUNS or is_doing


def format_figure(kind: NumberType, value: int) -> str:
    """Return a number without the zeros that only its scale adds: 5.00 is 5, 1.5000 is 1.50."""
    return trim_zeros(to_cell(kind, value))


def trim_zeros(number: str) -> str:
    """Return a number in digits as all texts write it: see ``format_figure``."""
    whole, point, digits = number.partition(".")
    kept = digits.rstrip("0")
    if not kept:
        return whole
    # e.g. 12.50 stays, as amounts are written; 12.00 is 12, and 1.5000 is 1.50.
    return f"{whole}{point}{kept.ljust(min(SHOWN_PLACES, len(digits)), '0')}"


def format_quantity(number: str, unit: str) -> str:
    """Return a figure with its unit, in the singular after 1."""
    if not unit:
        return number
    return f"{number} {_singularize_unit(unit) if number.removeprefix('-') == '1' else unit}"


def is_percent(unit: str) -> bool:
    """Return whether a unit says "of a hundred"."""
    return unit in _PERCENT


def contains_unit(label: str, kind: ValueType) -> bool:
    """Return whether a label names the unit, as "service points" does."""
    return isinstance(kind, NumberType) and is_unit_named(label, kind.unit)


def is_unit_named(label: str, unit: str) -> bool:
    """Return whether a label says what it counts, as "number of earlier claims" does."""
    return bool(unit) and f" {unit} " in f" {label} "


_BIRTHS = ("date of birth", "birth date", "day of birth")


def name_age(label: str) -> str:
    """Return what somebody's age is called by the label of the date of birth, "" for others.

    >>> name_age("date of birth of the donor")
    'age of the donor'
    """
    birth = next((words for words in _BIRTHS if f"{label} ".startswith(f"{words} ")), "")
    return f"age{label.removeprefix(birth)}" if birth else ""


_EVENTS = {
    "end": ("ends", "end"),
    "expiry": ("expires", "expire"),
    "start": ("starts", "start"),
    "beginning": ("begins", "begin"),
}
_OF_DAYS = frozenset(
    {
        *("actual", "contractual", "current", "earliest", "early", "effective", "exact", "final"),
        *("first", "formal", "former", "initial", "intended", "last", "late", "latest", "likely"),
        *("new", "next", "official", "old", "original", "possible", "previous", "prior", "proper"),
        *("provisional", "real", "second", "statutory", "tentative", "true", "usual"),
    }
)
"""What is said of dates themselves; so is any word that ends like "planned"."""
_EVENT = re.compile(
    rf"(?P<what>{'|'.join(_EVENTS)})(?: date)? of (?:the |a |an )?(?P<of>[^()]+)"
    rf"|(?P<thing>[^()]+) (?P<that>{'|'.join(_EVENTS)}) date"
)


def find_event(label: str) -> tuple[str, str] | None:
    """Return what begins or ends on the day of a label, and the verb, None for other labels.

    >>> find_event("end of the insurance"), find_event("coverage start date")
    (('insurance', 'ends'), ('coverage', 'starts'))
    >>> find_event("planned end date"), find_event("latest start date")
    (None, None)
    """
    found = _EVENT.fullmatch(label)
    if found is None:
        return None
    thing = found["of"] or found["thing"]
    last = thing.rsplit(" ", 1)[-1].lower()
    if found["thing"] and (last in _OF_DAYS or last.endswith("ed")):
        return None  # it says which date is meant, not of what
    one, several = _EVENTS[found["what"] or found["that"]]
    return thing, several if conjugate_be(thing) == "are" else one


def is_year(label: str, kind: ValueType) -> bool:
    """Return whether a label is that of a year, as "year of publication" is."""
    noun = _trim_to_noun(label)[-1:]
    is_whole = isinstance(kind, NumberType) and not kind.places and not kind.unit
    return is_whole and noun == ["year"]


_SHARES = frozenset({"share", "percentage", "proportion", "fraction", "part"})


_AMOUNTS = frozenset(
    {
        *("age", "amount", "balance", "charge", "cost", "depth", "distance", "duration", "fee"),
        *("height", "length", "level", "mass", "power", "pressure", "price", "quantity", "rate"),
        *("score", "share", "size", "speed", "temperature", "thickness", "time", "value"),
        *("loss", "volume", "weight", "width"),
    }
)


def is_one_amount(label: str) -> bool:
    """Return whether a label can follow "a": "with a price of", but "with chlorine of" never."""
    return label.rsplit(" ", 1)[-1] in _AMOUNTS


def is_share(label: str) -> bool:
    """Return whether a label can be followed by what it is a share of: "permitted share of"."""
    return label.rsplit(" ", 1)[-1] in _SHARES and _trim_to_noun(label) == label.split()


def list_unit_forms(unit: str) -> list[str]:
    """Return a unit as it may stand after a figure, in the singular too."""
    if is_percent(unit):
        return [unit, *sorted(_PERCENT - {unit})]
    endings = (("s", ""), ("es", ""), ("ies", "y"))
    singular = [unit.removesuffix(end) + new for end, new in endings if unit.endswith(end)]
    return [form for form in (unit, *singular) if form]


def join_items(items: Sequence[str], word: str = "and") -> str:
    """Return "a, b and c", or with another word before the last."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else items[0]


def join_lettered(items: list[str]) -> str:
    """Return "(a) one; (b) another"."""
    return "; ".join(f"({_format_letters(place)}) {item}" for place, item in enumerate(items))


def compute_bracket_depth(text: str) -> int:
    """Return how deep brackets stand in each other, letters of lists apart."""
    deepest = depth = 0
    # Labels in quotes may have brackets of their own, and "(a) " only numbers a list.
    for letter in re.sub(rf'"[^"]*"|\([a-z]+\) |{_ASIDES.pattern}', "", text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        deepest = max(deepest, depth)
    return deepest


def is_fact(label: str) -> bool:
    """Return whether a label begins with a verb, as "has receipt" does."""
    return label.split(" ", 1)[0] in _VERBS


def phrase_relative_clause(clause: str, item: str, *, is_plural: bool = False) -> str:
    """Return a clause as it says which one of several things is meant, or which ones.

    >>> phrase_relative_clause("the car has a diesel engine", "car of the household")
    'that has a diesel engine'
    >>> phrase_relative_clause("a receipt was sent in", "item of baggage")
    'for which a receipt was sent in'
    >>> phrase_relative_clause("it had been confirmed in writing", "visit", is_plural=True)
    'that had been confirmed in writing'
    """
    known = ["it", *(f"the {words}" for words in (item, _trim_item(item)) if words)]
    subject = next((words for words in known if clause.startswith(f"{words} ")), "")
    verb, _, rest = clause.removeprefix(f"{subject} ").partition(" ")
    # Of other verbs it is not known how they are written of several things.
    if not subject or (is_plural and verb not in _PLURAL_VERBS and not verb.endswith("ed")):
        return f"for which {clause}"
    return f"that {_PLURAL_VERBS.get(verb, verb) if is_plural else verb} {rest}"


def join_item_facts(facts: Sequence[str], word: str = "and") -> str:
    """Return what is said of one thing, in a row; "that" stands once for neighbours.

    >>> join_item_facts(["made in May", "that was late", "that was long"])
    'made in May, that was late and was long'
    """
    that = "that "
    shown = [
        fact.removeprefix(that) if before.startswith(that) and fact.startswith(that) else fact
        for before, fact in zip(["", *facts], facts, strict=False)
    ]
    return join_items(shown, word)


_OWNED = re.compile(r"(?P<head>[^()]+) of (?:its|the) (?P<owner>\w+)")


def phrase_whose(label: str) -> str:
    """Return a label as it stands after "whose", where the thing that has it is named already.

    >>> phrase_whose("expiry date of its permit"), phrase_whose("stage of the journey")
    ('permit expiry date', 'journey stage')
    """
    found = _OWNED.fullmatch(label)
    if found is None or _is_plural(found["owner"]) or " of " in found["head"]:
        return label
    return f"{found['owner']} {found['head']}"


def _trim_item(item: str) -> str:
    """Return what a thing is called without what it belongs to."""
    return " ".join(_trim_to_noun(item)) if item else ""


_STATE = re.compile(r" (is|are|has|have) ")


def say_still(condition: str) -> str:
    """Return that one fact has not changed, "" for what is more than one fact.

    >>> say_still("any paper is missing"), say_still("the form has no date")
    ('any paper is still missing', 'the form still has no date')
    """
    plain = re.sub(r'"[^"]*"', lambda found: "_" * len(found[0]), condition)
    found = list(_STATE.finditer(plain))
    if len(found) != 1 or re.search(r"[,(;]| and | or | still ", plain):
        return ""
    place, verb = found[0].span(), found[0][1]
    said = f" {verb} still " if verb in {"is", "are"} else f" still {verb} "
    return f"{condition[: place[0]]}{said}{condition[place[1] :]}"


def _format_letters(place: int) -> str:
    """Return a, b, ... z, aa, ab, ..."""
    before, last = divmod(place, len(ascii_lowercase))
    return (_format_letters(before - 1) if before else "") + ascii_lowercase[last]


def _is_plural(word: str) -> bool:
    small = word.lower()
    if small in _PLURALS:
        return True
    if small in _SINGULARS or word.isupper() or len(word) < _SHORTEST_PLURAL:
        return False
    return small.endswith("s") and not small.endswith(("ss", "us", "is"))


def _singularize_unit(unit: str) -> str:
    *others, last = unit.split(" ")
    return " ".join([*others, _singularize_word(last)])


def _singularize_word(word: str) -> str:
    if not _is_plural(word):
        return word
    if word in _PLURALS:
        return _IRREGULAR.get(word, word)
    if word.endswith("ies"):
        return word[:-1] if word in _IN_IE else f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "zes")) else word[:-1]
