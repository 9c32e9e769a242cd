"""Other words for the clauses that stand for the answers of yes/no fields.

"The journey has already been compensated" says what "the journey was compensated before" says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# What was done once: of what was so, the past and the perfect do not say one thing.
_PAST = (
    r"(?:\w{3,}ed|given|taken|written|seen|shown|known|chosen|drawn|sent|paid|made|sold|bought"
    r"|brought|found|held|lost)"
)
_DONE = re.compile(
    r" (?P<be>(?:was|were)(?: not)?|(?:has|have)(?: not)? been)(?= (?:\w{3,}ed|given|taken|written"
    r"|seen|shown|known|chosen|drawn|sent|paid|made|sold|bought|brought|found|held|lost)\b)"
)
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


def index_other_clauses(clauses: Iterable[str]) -> dict[str, str]:
    """Return the clauses by what else says the same; what could stand for two is left out."""
    known = {clause for clause in clauses if clause}
    found: dict[str, str] = {}
    twice = set()
    for clause in sorted(known):
        for other in dict.fromkeys(_iterate_others(clause)):
            twice.update([other] if found.get(other, clause) != clause else [])
            found[other] = clause
    return {other: clause for other, clause in found.items() if other not in known | twice}


def _iterate_others(clause: str) -> Iterator[str]:
    near = [clause, *_iterate_near(clause)]
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
