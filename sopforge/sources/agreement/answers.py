"""Yes/no facts of passages and of the items that cite them: which answer is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.domain.fields import Field
from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import find_labels
from sopforge.sources.items import Item
from sopforge.sources.prose.bounds import read_limits
from sopforge.sources.prose.markers import (
    count_negations,
    iterate_exceptions,
    split_clauses,
)
from sopforge.sources.prose.stems import list_stems_in_order

_DENYING = frozenset({"not", "no", "never", "without", "neither", "nor", "cannot", "outsid"})
_AFTER = re.compile(
    r"^\W*(?:(?:is|are|was|were|has|have|had|does|do|did)\W+(?:been\W+)?(?:not|never)\b"
    r"|\w+n't\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^\W*(?:for|to|of|in|on|by) (?:whom|which|these|those|them)\b", re.IGNORECASE
)
_ONLY = re.compile(r"(?:only|provided|as long as|even|regardless)\b", re.IGNORECASE)
_NEAR = 4


def find_answers(account: Account) -> Iterator[Doubt]:
    """Yield the yes/no facts of which an item means the other answer than its passage.

    Only rules whose result the passage names, and predicates that deny as often as it does: of
    others a passage may say when they do not apply.
    """
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        excepted = tuple(
            clause.start for clause in iterate_exceptions(quoted) if not _ONLY.match(clause.text)
        )
        for item in (account.items[name] for name in passage.items):
            for name, meant in item.facts.flags if _is_judged(item, quoted, account) else ():
                field = account.fields.get(name)
                if field is None or (name, not meant) in item.facts.flags:
                    continue
                result = _read_result(quoted, item, account)
                said = _read_answer(quoted, field, excepted, item, result)
                if said is not None and said is not (meant is result.is_given):
                    words = "yes" if meant else "no"
                    yield Doubt(Kind.ANSWER, quoted, (item.name,), field.label, words)


def _is_judged(item: Item, quoted: str, account: Account) -> bool:
    """Return whether a passage says when an item applies, rather than how much is then so."""
    is_rule = item.name.startswith(("decisions.", "steps.")) and item.name.count(".") > 1
    found = [quantity for quantity in account.read_quantities(quoted) if not quantity.is_small]
    says_amount = len(found) > len(read_limits(quoted, found))
    is_open = says_amount or re.search(r"\bonly\b", quoted, re.IGNORECASE) is not None
    is_predicate = item.name.startswith("predicates.") and not is_open
    return (is_rule and bool(item.facts.given or item.answers)) or is_predicate


@dataclass(frozen=True, slots=True)
class _Result:
    """Whether a passage says what an item gives rather than the opposite; None if it says neither.

    ``denials`` is how many words of the passage deny it.
    """

    is_given: bool | None = True
    denials: int = 0


def _read_result(quoted: str, item: Item, account: Account) -> _Result:
    """Return what a passage says of the yes/no fact that a rule gives; of others nothing is open.

    "Gifts are not taxed if small" and a rule of what is taxed say the opposite of each other.
    """
    for name, given in item.answers:
        field = account.fields.get(name)
        found = [
            read
            for clause, _ in split_clauses(quoted)
            if field and (read := _read_clause(clause, field))
        ]
        answers = {is_yes for is_yes, _ in found}
        if len(answers) != 1:
            return _Result(None)
        return _Result(answers.pop() is given, sum(denials for _, denials in found))
    return _Result()


def _read_answer(
    quoted: str, field: Field, excepted: tuple[int, ...], item: Item, result: _Result
) -> bool | None:
    """Return which answer of a field a passage means, None where that is open."""
    if result.is_given is None:
        return None
    found: set[bool] = set()
    for clause, start in split_clauses(quoted):
        read = _read_clause(clause, field)
        if read is None:
            continue
        is_yes, denials = read
        is_excepted = any(start <= place < start + len(clause) for place in excepted)
        # "Except for members, for whom it is ..." goes on to say what holds for them.
        if is_excepted and _GOES_ON.search(quoted[start + len(clause) :]):
            return None
        # What is excepted from a result is not so where there is the result.
        found.add(is_yes is not is_excepted)
        # What else is denied may turn the whole round.
        if not _is_said_so(quoted, item, count_negations(quoted) - denials - result.denials):
            return None
    return found.pop() if len(found) == 1 else None


def _read_clause(clause: str, field: Field) -> tuple[bool, int] | None:
    """Return which answer of a field a clause says, and how many words deny it there.

    None if it says nothing of the field.
    """
    yes, no = _list_words(field)
    own = frozenset(yes) & frozenset(no) - _SMALL
    words = list_stems_in_order(clause)
    hits = [place for place, (stem, _, _) in enumerate(words) if stem in own]
    if not hits or len({words[place][0] for place in hits}) < min(2, len(own)):
        return None
    first, last = max(0, hits[0] - _NEAR), hits[-1]
    around = {stem for stem, _, _ in words[first : last + 1]}
    after = _AFTER.search(clause[words[last][2] :])
    is_no = bool(around & (_DENYING | (frozenset(no) - frozenset(yes)))) or after is not None
    denials = count_negations(clause[words[first][1] : words[last][2]]) + (after is not None)
    return not is_no, denials


def _is_said_so(quoted: str, item: Item, denied: int) -> bool:
    """Return whether a passage says of an item when it applies, rather than when it does not."""
    if item.name.startswith("predicates."):
        return denied % 2 == count_negations(item.says) % 2
    if item.answers:
        return not denied
    sets = {of for _, of in item.facts.given}
    given = {label for label, _ in item.facts.given}
    return not denied and any(find_labels(quoted, labels) & given for labels in sets)


def _list_words(field: Field) -> tuple[list[str], list[str]]:
    """Return the words of a sentence that says yes, and of one that says no."""
    yes = field.said.yes if field.said else field.label
    no = field.said.no if field.said else f"not {field.label}"
    return [s for s, _, _ in list_stems_in_order(yes)], [s for s, _, _ in list_stems_in_order(no)]


_SMALL = frozenset(
    {"the", "a", "an", "of", "in", "on", "is", "was", "has", "it", "for", "to", "been", "and"}
)
