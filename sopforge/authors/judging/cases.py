"""Cases on both sides of what an item decides: as near to each other as the solver finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice

from sopforge.authors.judging.forks import Fork, Known, find_stored, list_forks, work_out
from sopforge.authors.sources.account import Account
from sopforge.authors.sources.labels import find_labels
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Compare,
    Constant,
    Expression,
    Not,
    Read,
    Relation,
    collect_named_constants,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import BooleanType, EnumType, OrderedType, Value
from sopforge.language.english.nouns import join_items
from sopforge.morphology import list_stems
from sopforge.proof.comparing.asking.fact_words import describe_fact
from sopforge.proof.comparing.asking.questions import Fact
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving import budgets
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolding import (
    TRUE,
    build_conjunction,
    build_disjunction,
    negate_condition,
)

_MOST_MENTIONED, _MOST_GROUNDS, _MOST_DRAWN = 4, 4, 50
_LABELS = (EnumType, BooleanType)


Mentioned = Sequence[tuple[Field, int]]


@dataclass(frozen=True, slots=True)
class Case:
    """A case for an alternative of a fork: what of its row decides there, and which facts it shows.

    ``passages`` are the sentences of the brief that the alternative rests on.
    """

    fork: Fork
    place: int
    passages: tuple[str, ...]
    row: Known
    shown: tuple[str, ...]

    @property
    def item(self) -> str:
        """The item that passages are cited for."""
        return self.fork.alternatives[self.place].item

    def list_facts(self, model: DomainModel) -> tuple[Fact, ...]:
        """Return the facts that are shown, in words; what the alternative reads is their key."""
        own, before = set(self.fork.list_reads_of(self.place)), self.fork.list_reads(self.place)
        known = work_out(model, self.row)
        facts = [(name, describe_fact(model, name, known)) for name in self.shown]
        return tuple(
            replace(fact, is_key=name in own or name not in before) for name, fact in facts
        )

    def describe(self, model: DomainModel) -> str:
        """Return the case in a sentence."""
        said = join_items([fact.phrase() for fact in self.list_facts(model)])
        return f"{said[:1].upper()}{said[1:]}."


def make_cases(model: DomainModel, account: Account) -> Iterator[Case]:
    """Yield the cases by which passages can be compared with the items that cite them.

    For each alternative that has passages, one in which it applies and the nearest ones in which it
    does not, though none before it applies either; then such in which it applies, and a fact that
    the passages mention and nothing there reads is as they mention it.
    """
    drawn = _draw_row(model)
    for fork in list_forks(model):
        last = len(fork.alternatives) - 1
        stored = find_stored(model, fork.list_reads(last))
        if stored is None:
            continue
        for place in range(last + 1):
            passages = list_passages(model, account, fork, place)
            if passages and _is_said(fork, place, passages):
                mentioned = _list_mentioned(model, account, fork, place, passages)
                for row, names in _iterate_rows(model, fork, place, drawn, mentioned):
                    kept = {name: row.get(name) for name in (*stored, *names)}
                    found = fork.find_place(work_out(model, kept))
                    counts = last if found is None else found
                    shown = {*fork.list_reads(counts), *names}
                    order = tuple(name for name in model.fields if name in shown)
                    # Of lists, a row of the solver's may not bear out.
                    if counts >= place:
                        yield Case(fork, place, passages, kept, order)


def _draw_row(model: DomainModel) -> Known:
    """Return a drawn row without malformed inputs, of which no passage says what they are."""
    marks = [name_malformed_mark(item.name) for item in model.malformable]
    rows = sample_rows(model, 0, range(_MOST_DRAWN))
    return next((row for row in rows if not any(row.get(mark) for mark in marks)), rows[0])


def _is_said(fork: Fork, place: int, passages: Sequence[str]) -> bool:
    """Return whether passages speak of an alternative: of a look-up, they name its label."""
    entry = fork.alternatives[place].entry
    return not entry or bool(find_labels(" ".join(passages), (entry,)))


def _iterate_rows(
    model: DomainModel, fork: Fork, place: int, drawn: Known, mentioned: Mentioned
) -> Iterator[tuple[Known, tuple[str, ...]]]:
    """Yield rows for an alternative, each with the mentioned fact that it is about."""
    rows = list(_find_rows(model, fork, place, drawn))
    yield from ((row, ()) for row in rows)
    for item, value in mentioned if rows else ():
        condition = build_conjunction(_build_reach(fork, place), _build_value(item, value))
        row = _find_near(model, condition, rows[0])
        if isinstance(row, dict):
            yield row, (item.name,)


def _list_mentioned(
    model: DomainModel, account: Account, fork: Fork, place: int, passages: Sequence[str]
) -> Mentioned:
    """Return the facts that passages mention, with values, and that no item which cites them reads.

    All other cases are none in which a fact could be ignored.
    """
    if fork.alternatives[place].when is None:
        return []
    read, text = set(find_stored(model, fork.list_reads(place)) or ()), " ".join(passages)
    for name, cited in account.cited.items():
        is_rule = not name.startswith("fields.")
        if is_rule and any(account.quote(passage) in text for passage in cited):
            read |= account.items[name].facts.fields
    others = [item for item in model.with_role(*STORED) if item.name not in read]
    found = (pair for item in others for pair in _list_values(item, text))
    return list(islice(found, _MOST_MENTIONED))


def list_passages(model: DomainModel, account: Account, fork: Fork, place: int) -> tuple[str, ...]:
    """Return the sentences that an alternative rests on, with those of what it reads by name.

    What all other cases are is said by the passages of the rules before it too. There are none
    where nothing is cited for the alternative itself.
    """
    alternative = fork.alternatives[place]
    if alternative.item not in account.cited:
        return ()
    tried = fork.alternatives[: place + 1] if alternative.when is None else (alternative,)
    parts = [part for item in tried for part in (item.when, item.then)]
    read = [part for part in parts if part is not None and not isinstance(part, str)]
    names = [item.item for item in tried]
    names += [f"policy.{name}" for part in read for name in sorted(collect_named_constants(part))]
    inner = set(iterate_parts(*read))
    predicates = model.predicates.items()
    names += [f"predicates.{name}" for name, item in predicates if inner & {*item.uses.values()}]
    return account.list_sentences_of(names)


def _find_rows(model: DomainModel, fork: Fork, place: int, drawn: Known) -> Iterator[Known]:
    """Yield rows on which an alternative applies, each with the nearest on which it does not.

    Where any of several conditions is enough, each is met alone. Where a condition reads both
    labels and numbers, only numbers change in the first row on which it fails, and only labels in
    the second. The row before is moved next to the first, so that a limit lies between.
    """
    when = fork.alternatives[place].when or TRUE
    grounds = when.operands if isinstance(when, AnyOf) else (when,)
    for ground in grounds[:_MOST_GROUNDS]:
        others = (negate_condition(other) for other in grounds if other is not ground)
        applies = reduce(build_conjunction, others, _build_reach(fork, place, ground))
        row, further = _find_near(model, applies, drawn), list[Known]()
        if not isinstance(row, dict):
            continue
        for kept in _list_kept(model, ground):
            known = work_out(model, row)
            values = [(item, known.get(item.name)) for item in kept]
            pins = [_build_value(item, value) for item, value in values if value is not None]
            tried = (reduce(build_conjunction, pins, item) for item in _list_failures(fork, place))
            found = (_find_near(model, condition, row) for condition in tried)
            further += islice((other for other in found if isinstance(other, dict)), 1)
            nearer = _find_near(model, applies, further[0]) if len(further) == 1 else row
            row = nearer if isinstance(nearer, dict) else row
        yield from (row, *further)


_find_near = partial(find_witness, units=budgets.NEIGHBOUR)


def _list_kept(model: DomainModel, ground: Expression) -> tuple[list[Field], ...]:
    """Return the labels that a condition reads, then its numbers: each is kept once.

    Where it reads only one of the two kinds, nothing is.
    """
    read = [model.fields[name] for name in sorted(collect_read_fields(ground))]
    labels = [item for item in read if isinstance(item.type, _LABELS)]
    numbers = [item for item in read if isinstance(item.type, OrderedType)]
    return (labels, numbers) if labels and numbers else ([],)


def _build_reach(fork: Fork, place: int, when: Expression | None = None) -> Expression:
    """Return when an alternative counts: it applies, by its own condition, and none before it."""
    failing = (negate_condition(item.when or TRUE) for item in fork.alternatives[:place])
    return reduce(build_conjunction, failing, when or fork.alternatives[place].when or TRUE)


def _list_failures(fork: Fork, place: int) -> list[Expression]:
    """Return when a later alternative counts, with another result: the last one, then any.

    The last one is that of all other cases, which are the plainest. A look-up has none.
    """
    own = fork.alternatives[place]
    later = range(place + 1, 0 if own.entry else len(fork.alternatives))
    others = [_build_reach(fork, n) for n in later if fork.alternatives[n].then != own.then]
    return [others[-1], reduce(build_disjunction, others)] if others else []


def _list_values(item: Field, text: str) -> list[tuple[Field, int]]:
    """Return the values of a fact that passages mention: most of the words that say so.

    That is a guess, which costs a case where it is wrong, and is no finding.
    """
    match item.type:
        case EnumType(values=values):
            return [(item, values.index(label)) for label in sorted(find_labels(text, values))]
        case BooleanType():
            said = [{*list_stems(words)} for words in (item.label, *item.clauses)]
            known = {*list_stems(text)}
            is_named = any(len(stems & known) * 2 > len(stems) for stems in said)
            return [(item, 1), (item, 0)] if is_named else []
        case _:
            return []


def _build_value(item: Field, value: Value) -> Expression:
    """Return that a fact has a value."""
    read: Expression = Read(item.type, item.name)
    if isinstance(item.type, BooleanType):
        return read if value else Not(read)
    return Compare(Relation.EQ, read, Constant(item.type, value))
