"""Other words for the clauses that stand for the answers of yes/no fields.

"The journey has already been compensated" says what "the journey was compensated before" says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sopforge.logic.phrasing.grammar import find_clause_subject

# What was done once: of what was so, the past and the perfect do not say one thing.
_PAST = (
    r"(?:\w{3,}ed|given|taken|written|seen|shown|known|chosen|drawn|sent|paid|made|sold|bought"
    r"|brought|found|held|lost)"
)
_DONE = re.compile(rf" (?P<be>(?:was|were)(?: not)?|(?:has|have)(?: not)? been)(?= {_PAST}\b)")
_OTHER_TENSES = {
    "was": "has been",
    "were": "have been",
    "was not": "has not been",
    "were not": "have not been",
}
_TENSES = {**_OTHER_TENSES, **{other: words for words, other in _OTHER_TENSES.items()}}
_HAVE = {"was": "has", "were": "have", "is": "has", "are": "have"}
_BEFORE = re.compile(
    rf"(?P<who>.+?) (?P<be>was|were) (?P<denied>not )?(?P<done>{_PAST})"
    " (?:before|earlier|previously)"
)
_ALREADY = re.compile(
    rf"(?P<who>.+?) (?P<be>is|are) (?P<denied>not )?(?P<done>{_PAST}) (?P<when>already|yet)"
)
_DONE_FORMS = (
    "{who} {have} already been {done}",
    "{who} {have} been {done} already",
    "{who} {be} already {done}",
)
_EARLIER_FORMS = (
    "{who} {have} been {done} before",
    "{who} {have} been {done} earlier",
    "{who} {have} been {done} previously",
    "{who} {have} previously been {done}",
    "{who} {have} already been {done} before",
    "{who} {have} already been {done} earlier",
    "{who} {have} already been {done} previously",
    "{who} {be} {done} earlier",
    "{who} {be} {done} previously",
    "{who} {be} previously {done}",
)
_NOT_DONE_FORMS = (
    "{who} {have} not yet been {done}",
    "{who} {have} not been {done} yet",
    "{who} {have} not been {done} so far",
    "{who} {have} not been {done} already",
    "{who} {be} not yet {done}",
)
_NOT_EARLIER_FORMS = (
    "{who} {have} not been {done} before",
    "{who} {have} not been {done} earlier",
    "{who} {have} not been {done} previously",
    "{who} {have} not previously been {done}",
    "{who} {have} never been {done} before",
    "{who} {have} never been {done}",
    "{who} {be} not {done} earlier",
    "{who} {be} not {done} previously",
    "{who} {be} not previously {done}",
    "{who} {be} never {done} before",
)
_NONE_DONE_FORMS = (
    "{who} {have} been {done} yet",
    "{who} {have} yet been {done}",
    "{who} {have} been {done} so far",
    "{who} {be} yet {done}",
)
_ALIKE = (("in time", "on time"), ("in advance", "beforehand"), ("a ", "any "), ("an ", "any "))


# What was done, with the noun for it and the verb that this takes.
_NOUNS = {
    "approved": ("approval", "given|granted"),
    "booked": ("booking", "made"),
    "cancelled": ("cancellation", "made"),
    "checked": ("check", "made|carried out|done"),
    "cleaned": ("cleaning", "carried out|done"),
    "confirmed": ("confirmation", "given"),
    "delivered": ("delivery", "made"),
    "examined": ("examination", "carried out|done|made"),
    "inspected": ("inspection", "carried out|done|made"),
    "measured": ("measurement", "made|taken"),
    "notified": ("notification", "given|made"),
    "paid": ("payment", "made"),
    "refunded": ("refund", "made"),
    "registered": ("registration", "made"),
    "repaired": ("repair", "made|carried out|done"),
    "reported": ("report", "made"),
    "tested": ("test", "made|carried out|done"),
    "transferred": ("transfer", "made"),
}
_NOUN = re.compile(
    rf"(?P<who>the .+?) (?P<be>was|were)(?P<denied> not)? (?P<done>{'|'.join(_NOUNS)})"
    "(?! by )(?P<rest>(?: .+)?)"
)
_NOT_ACTIVE = re.compile(
    r"(?P<who>the (?:(?! (?:do|does|did) ).)+) (?P<do>does|do) not (?P<verb>[a-z]+) "
    r"(?P<what>(?!(?:an?|no|any|at|by|for|from|in|on|out|through|to|with|up|as|than|[a-z]+ly)\b).+)"
)
_PASSIVE = re.compile(
    r"(?P<what>(?!no ).+?) (?P<be>is|are|was|were)(?P<denied> not)? (?P<done>[a-z]{2,}ed) by "
    r"(?P<who>the .+)"
)
_IRREGULAR = {
    "bring": "brought",
    "buy": "bought",
    "choose": "chosen",
    "draw": "drawn",
    "drive": "driven",
    "find": "found",
    "give": "given",
    "hold": "held",
    "keep": "kept",
    "know": "known",
    "lose": "lost",
    "make": "made",
    "pay": "paid",
    "sell": "sold",
    "send": "sent",
    "see": "seen",
    "show": "shown",
    "take": "taken",
    "wear": "worn",
    "write": "written",
}
# Verbs that what they are about cannot be the subject of.
_WITHOUT_PASSIVE = frozenset(
    {"be", "become", "come", "cost", "go", "have", "last", "lie", "look", "seem", "stay", "weigh"}
)
_NONE = re.compile(rf"(?P<who>.+?) (?P<have>has|have) (?P<past>(?:{_PAST}) )?no (?P<what>.+)")
_NOT_ANY = re.compile(
    rf"(?P<who>.+?) (?:(?P<have>has|have) not (?P<past>(?:{_PAST}) )|(?P<do>does|do) not have )"
    "(?:an? |any )?(?P<what>.+)"
)
_OPEN = re.compile(
    r"(?P<any>an?|no) (?P<what>[a-z]+) of (?P<who>the [a-z]+)(?P<rest>(?: .+)?) is"
    r" (?P<how>(?!(?:not|in|on|at)\b)[a-z]+)"
)
_HAS_OPEN = re.compile(
    r"(?P<who>the [a-z]+) has (?P<any>an?|no) (?P<how>[a-z]+) (?P<what>[a-z]+)"
    r"(?P<rest>(?: (?:about|against|for|from|on|with) .+)?)"
)


def index_other_clauses(clauses: Iterable[str]) -> dict[str, str]:
    """Return the clauses by what else says the same; what could stand for two is left out."""
    known = {clause for clause in clauses if clause}
    found: dict[str, str] = {}
    twice = set()
    for clause in sorted(known):
        others = [*_iterate_others(clause), *_iterate_asserted_passives(clause, known)]
        for other in dict.fromkeys(others):
            twice.update([other] if found.get(other, clause) != clause else [])
            found[other] = clause
    return {other: clause for other, clause in found.items() if other not in known | twice}


def _iterate_others(clause: str) -> Iterator[str]:
    near = [clause, *_iterate_near(clause), *_iterate_turned(clause)]
    yield from near[1:]
    for words in near:
        yield from _iterate_near(words)
        yield from _iterate_times(words)
        yield from (other for form in _iterate_times(words) for other in _iterate_near(form))


def _iterate_near(clause: str) -> Iterator[str]:
    """Yield a clause with an adverb or an article that says the same."""
    for words, other in _ALIKE:
        for old, new in ((words, other), (other, words)):
            if old[-1] == " ":
                if old != "any " and clause.startswith(old):
                    yield f"{new}{clause.removeprefix(old)}"
            elif re.search(rf"\b{old}\b", clause):
                yield re.sub(rf"\b{old}\b", new, clause, count=1)


def _iterate_times(clause: str) -> Iterator[str]:
    """Yield a clause in another tense."""
    found = _DONE.search(clause)
    if found is not None:
        other = _TENSES[found["be"]]
        yield f"{clause[: found.start()]} {other}{clause[found.end() :]}"
    before, already = _BEFORE.fullmatch(clause), _ALREADY.fullmatch(clause)
    done = before or already
    if done is None:
        return
    words = {"who": done["who"], "done": done["done"], "be": done["be"], "have": _HAVE[done["be"]]}
    is_none = done["who"].startswith("no ")
    if already is not None and (already["when"] == "yet") != bool(is_none or already["denied"]):
        return
    if is_none and already is not None:
        forms: tuple[str, ...] = _NONE_DONE_FORMS
    elif is_none:
        return
    elif done["denied"]:
        forms = (*_NOT_DONE_FORMS, *(_NOT_EARLIER_FORMS if before else ()))
    else:
        forms = (*_DONE_FORMS, *(_EARLIER_FORMS if before else ()))
    yield from (form.format(**words) for form in forms)


def _iterate_turned(clause: str) -> Iterator[str]:
    """Yield a clause with another subject, a noun for its verb, or its denial elsewhere."""
    yield from _iterate_passives(clause)
    yield from _iterate_nouns(clause)
    yield from _iterate_denials(clause)
    yield from _iterate_having(clause)


def _iterate_asserted_passives(clause: str, known: Iterable[str]) -> Iterator[str]:
    """Yield a clause in the passive where another denies it, and so shows what its verb is."""
    for denial in known:
        active = _NOT_ACTIVE.fullmatch(denial)
        if active is not None and is_denied_verb(clause, denial):
            yield from (words.replace(" not ", " ", 1) for words in _say_passively(active))


def is_denied_verb(clause: str, denial: str) -> bool:
    """Return whether a clause says of somebody what another one denies.

    >>> is_denied_verb("the shop takes cards", "the shop does not take cards")
    True
    """
    active = _NOT_ACTIVE.fullmatch(denial)
    if active is None:
        return False
    verb = active["verb"] if active["do"] == "do" else _add_ending(active["verb"], "s")
    return clause == f"{active['who']} {verb} {active['what']}"


def _say_passively(active: re.Match[str]) -> Iterator[str]:
    if active["verb"] not in _WITHOUT_PASSIVE:
        done = _IRREGULAR.get(active["verb"]) or _add_ending(active["verb"], "ed")
        yield from (f"{active['what']} {be} not {done} by {active['who']}" for be in ("is", "are"))


def _iterate_passives(clause: str) -> Iterator[str]:
    """Yield what a clause says of the thing that something is done to, or of who does it."""
    active = _NOT_ACTIVE.fullmatch(clause)
    if active is not None:
        yield from _say_passively(active)
    passive = _PASSIVE.fullmatch(clause)
    if passive is not None:
        was = passive["be"] in {"was", "were"}
        yield from _iterate_past_actives(passive) if was else _iterate_actives(passive)


def _iterate_past_actives(passive: re.Match[str]) -> Iterator[str]:
    who, what, denied = passive["who"], passive["what"], passive["denied"] or ""
    yield from (f"{who} {have}{denied} {passive['done']} {what}" for have in ("has", "have"))
    if not denied:
        yield f"{who} {passive['done']} {what}"
        return
    yield from (f"{who} did not {verb} {what}" for verb in _list_stems(passive["done"]))


def _iterate_actives(passive: re.Match[str]) -> Iterator[str]:
    for verb in _list_stems(passive["done"]):
        said = f"does not {verb}" if passive["denied"] else _add_ending(verb, "s")
        yield f"{passive['who']} {said} {passive['what']}"


def _iterate_nouns(clause: str) -> Iterator[str]:
    found = _NOUN.fullmatch(clause)
    if found is None:
        return
    noun, verbs = _NOUNS[found["done"]]
    denied = found["denied"] or ""
    for verb in verbs.split("|"):
        for start in (f"{noun} of", f"{noun} for", f"the {noun} of", f"the {noun} for"):
            yield f"{start} {found['who']} was{denied} {verb}{found['rest']}"


def _iterate_denials(clause: str) -> Iterator[str]:
    """Yield a clause that denies the verb instead of the thing, or the reverse."""
    none, not_any = _NONE.fullmatch(clause), _NOT_ANY.fullmatch(clause)
    if none is not None:
        start = f"{none['who']} {none['have']} not {none['past'] or ''}"
        do = "does" if none["have"] == "has" else "do"
        start = start if none["past"] else f"{none['who']} {do} not have "
        yield from (f"{start}{any_}{none['what']}" for any_ in ("", "any ", "a ", "an "))
    elif not_any is not None:
        have = not_any["have"] or ("has" if not_any["do"] == "does" else "have")
        yield f"{not_any['who']} {have} {not_any['past'] or ''}no {not_any['what']}"


def _iterate_having(clause: str) -> Iterator[str]:
    """Yield "the member has an open appeal" for "an appeal of the member is open", and back."""
    found, having = _OPEN.fullmatch(clause), _HAS_OPEN.fullmatch(clause)
    if found is not None:
        what = f"{found['how']} {found['what']}{found['rest']}"
        article = "an" if what[0] in "aeiou" else "a"
        if found["any"] == "no":
            yield f"{found['who']} has no {what}"
            yield from (f"{found['who']} does not have {any_} {what}" for any_ in (article, "any"))
        else:
            yield f"{found['who']} has {article} {what}"
    elif having is not None:
        article = "no" if having["any"] == "no" else ("an" if having["what"][0] in "aeiou" else "a")
        yield f"{article} {having['what']} of {having['who']}{having['rest']} is {having['how']}"


def _add_ending(verb: str, ending: str) -> str:
    """Return a verb with "s" or "ed"."""
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}i{'es' if ending == 's' else ending}"
    if ending == "s":
        return f"{verb}{'es' if re.search('(?:s|x|z|ch|sh)$', verb) else 's'}"
    return f"{verb}{ending.removeprefix('e') if verb.endswith('e') else ending}"


def _list_stems(done: str) -> list[str]:
    """Return the verbs of which something may be the participle."""
    stems = [done.removesuffix("ed"), done.removesuffix("d")]
    doubled = re.search(r"([bdgmnprt])\1$", stems[0])
    return [
        *stems,
        *([stems[0][:-1]] if doubled else []),
        *([f"{done.removesuffix('ied')}y"] if done.endswith("ied") else []),
    ]


_CONDITION_FIRST = re.compile(
    r"(?:If|Where|When) (?P<condition>.+), (?:then )?(?P<clause>[^,]+?)(?P<end>[.:])"
)


_PRONOUN = re.compile(r"(?:it|they|he|she) ")


def reorder_definition(text: str, clauses: Iterable[str]) -> str:
    """Return a definition that begins with its condition as one that ends with it.

    Other texts are returned as they are.

    >>> reorder_definition("If it rains, the road is wet.", ["the road is wet"])
    'the road is wet if it rains.'
    >>> reorder_definition("If the road is cold, it is icy.", ["the road is icy"])
    'the road is icy if the road is cold.'
    """
    known = tuple(clauses)
    found = _CONDITION_FIRST.fullmatch(text)
    if found is None:
        return text
    clause = found["clause"]
    if pronoun := _PRONOUN.match(clause):
        clause = f"{find_clause_subject(found['condition'])} {clause.removeprefix(pronoun[0])}"
    if clause not in {*known, *index_other_clauses(known)}:
        return text
    return f"{clause} if {found['condition']}{found['end']}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ON_DAY = re.compile(
    rf"\b(?:is|falls|lies|comes) on or (?P<order>before|after) the (?P<nth>{'|'.join(_ORDINALS)})"
    r" (?P<unit>(?:working )?day) (?P<side>before|after) "
)
_ON_DAY_WORDS = {
    ("before", "after"): "no later than",
    ("after", "before"): "no earlier than",
    ("before", "before"): "at least",
    ("after", "after"): "at least",
}


def reword_numbered_days(text: str) -> str:
    """Return a text with a day that is counted by its number as so many days from another.

    >>> reword_numbered_days("the reply falls on or before the fifth day after the request")
    'the reply is no later than 5 days after the request'
    """

    def say(found: re.Match[str]) -> str:
        number = _ORDINALS.index(found["nth"]) + 1
        far = _ON_DAY_WORDS[found["order"], found["side"]]
        return f"is {far} {number} {found['unit']}{'s' * (number > 1)} {found['side']} "

    return _ON_DAY.sub(say, text)
