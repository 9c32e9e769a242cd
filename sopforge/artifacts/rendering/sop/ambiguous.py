"""Words that a careless reader takes otherwise, and the annex that says what some of them mean.

"not more than" is "at most", "no earlier than" a day is "on or after" it, "any but" a label is that
it is "not" this one, and what holds "unless" something does, holds if it does not. A step says that
a value *counts as* something, and the annex for which condition that stands; a step has a limit *as
amended*, and the annex has what is added to it or taken from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.language.english.forms import Forms
from sopforge.language.english.nouns import trim_zeros
from sopforge.language.english.terms import Term, map_parts

TITLE = "Annex: terms and amendments"
OPENING = (
    "Where a step says that something counts as something else, it means what stands here, and"
    " nothing else. A limit that a step has as amended is changed as it stands here."
)
Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Wording:
    """Words of a kind, what they mean, and what a careless reader takes them for.

    ``is_denial``: they say that something is not so, which is not the same of what is missing.
    """

    kind: str
    words: str
    meant: str
    taken: str
    is_denial: bool = False


_DENIALS = (
    ("rule", "{v:result} unless {c:fact.single}.", "rule(v, not c)", "rule(v, c)"),
    ("setrule", "{v:result} unless {c:fact.single}.", "rule(v, not c)", "rule(v, c)"),
    ("row", "{x:fact.single}, unless {y:fact.single}", "x and not y", "x and y"),
)
WORDINGS = (
    Wording("limit", "not more than {n:sum.number}", "it <= n", "it < n"),
    Wording("limit", "not less than {n:sum.number}", "it >= n", "it > n"),
    Wording("when", "no later than {d:noun.stated}", "it <= d", "it < d"),
    Wording("when", "no earlier than {d:noun.stated}", "it >= d", "it > d"),
    Wording("state", "any but {l:quoted}", "it != label(l)", "it == label(l)"),
    *(Wording(*row, is_denial=True) for row in _DENIALS),
)
_ANNEX: tuple[Row, ...] = (
    ("fact", "{a:name} counts/count as {l:quoted}", "counts(a, label(l))"),
    ("literal", "{n:figure} as amended", "amended(n)"),
    ("literal", "{d:day} as amended", "amended(d)"),
    ("annex", "In step {s:step}, {f:fact} if {c:condition}.", "means(s, f, c)"),
    *(
        (
            "annex",
            f"In step {{s:step}}, the limit of {{n:literal}} is {verb} by {{m:figure}}.",
            f"amends(s, n, {verb!r}, m)",
        )
        for verb in ("raised", "lowered", "put off", "brought forward")
    ),
)
_VERBS = {"raised": 1, "lowered": -1, "put off": 1, "brought forward": -1}
CAREFUL: tuple[Row, ...] = (*((x.kind, x.words, x.meant) for x in WORDINGS), *_ANNEX)
CARELESS: tuple[Row, ...] = (*((x.kind, x.words, x.taken) for x in WORDINGS), *_ANNEX)


def name_amendment(first: Term, away: Decimal) -> tuple[str, Term]:
    """Return how an annex says by how much a figure is changed, and the figure of that."""
    if first[0] == "day":
        return ("put off" if away > 0 else "brought forward"), (
            "number",
            f"{abs(away):f}",
            "days",
            "",
        )
    return ("raised" if away > 0 else "lowered"), ("number", f"{abs(away):f}", first[2], "")


@dataclass(frozen=True, slots=True)
class Annex:
    """What stands for what in each step; ``forms`` are those of the domain."""

    forms: Forms
    meant: Mapping[str, Mapping[Term, Term]]

    def resolve(self, step: str, term: Term) -> Term:
        """Return a term of a step with what the annex says; what has no entry stays as it is."""
        known = self.meant.get(step, {})
        return self._replace(term, known.get)

    def ignore(self, term: Term) -> Term:
        """Return a term as it is read by somebody who looks nothing up."""
        return self._replace(term, _take_as_said)

    def _replace(self, term: Term, find: Callable[[Term], Term | None]) -> Term:
        other = find(term)
        if other is not None:
            return other
        changed = map_parts(term, lambda part: self._replace(part, find))
        return term if changed == term else self.forms.make(*changed) or changed


def read_annex(forms: Forms, statements: Iterable[Statement]) -> Annex:
    """Return what an annex says, from the statements of a text."""
    meant: dict[str, dict[Term, Term]] = {}
    for item in statements:
        match item.term:
            case ("means", (_, step), fact, condition):
                meant.setdefault(step, {})[fact] = condition
            case ("amends", (_, step), first, verb, (_, away, *_)):
                figure = _amend(first, Decimal(away) * _VERBS[verb])
                meant.setdefault(step, {})["amended", first] = figure
            case _:
                pass
    return Annex(forms, meant)


def _amend(first: Term, away: Decimal) -> Term:
    if first[0] == "day":
        return ("day", (date.fromisoformat(first[1]) + timedelta(days=int(away))).isoformat(), "")
    return ("number", trim_zeros(f"{Decimal(first[1]) + away:f}"), *first[2:])


def _take_as_said(term: Term) -> Term | None:
    match term:
        case ("counts", field, label):
            return ("==", field, label)
        case ("amended", first):
            return first  # type: ignore[no-any-return]
        case _:
            return None
