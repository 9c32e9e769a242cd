"""Mistakes about predicates: one is one mistake, wherever the predicate is used.

A reader who takes *covered* for *more than covered* does so at each edge and in each guard that
names it, whichever account it is about there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sopforge.language.domain.expressions.expressions import Expression, iterate_parts
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.predicates import map_named_conditions
from sopforge.language.domain.values.types import ListType
from sopforge.language.logic.variants.changed_models import with_expressions
from sopforge.language.logic.variants.substitution import Substitution
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.expression_mistakes import Edit, derive_edits


@dataclass(frozen=True, slots=True)
class PredicateMistake:
    """A model with one mistake about a predicate, with its name and in words."""

    name: str
    words: str
    about: About
    model: DomainModel


def derive_predicate_mistakes(model: DomainModel) -> Iterator[PredicateMistake]:
    """Return the mistakes about each predicate that something decides by."""
    if not model.predicates:
        return
    decided = set(iterate_parts(*collect_deciding_expressions(model)))
    done: set[Expression] = set()
    for predicate in model.predicates.values():
        # Two names of one condition are one mistake.
        used = {
            name: condition
            for name, condition in predicate.uses.items()
            if condition in decided and condition not in done
        }
        done.update(used.values())
        for name, together in _group_alike(model, used).items():
            for number, edits in enumerate(zip(*together.values(), strict=True), start=1):
                others = {
                    condition: edit.wrong for condition, edit in zip(together, edits, strict=True)
                }
                wrong = with_expressions(model, partial(put_others, others=others))
                words = f"in the predicate '{name}', {edits[0].words}"
                yield PredicateMistake(f"predicate {name} {number}", words, edits[0].about, wrong)


def _group_alike(
    model: DomainModel, used: Mapping[str, Expression]
) -> dict[str, dict[Expression, Sequence[Edit]]]:
    """Return the mistakes of each use, together where they are the same ones, by a name."""
    lists = {
        name: item.type for name, item in model.fields.items() if isinstance(item.type, ListType)
    }
    every = map_named_conditions(model.predicates)
    groups: dict[tuple[About, ...], dict[Expression, Sequence[Edit]]] = {}
    names: dict[tuple[About, ...], str] = {}
    for name, condition in used.items():
        inner = every.keys() - {condition}
        edits = list(derive_edits(condition, lists, inner))
        kinds = tuple(edit.about for edit in edits)
        groups.setdefault(kinds, {})[condition] = edits
        names.setdefault(kinds, name)
    short = {kinds: name.partition("(")[0] for kinds, name in names.items()}
    return {
        (short[kinds] if len(groups) == 1 else names[kinds]): found
        for kinds, found in groups.items()
    }


def put_others(expression: Expression, others: Mapping[Expression, Expression]) -> Expression:
    """Return an expression with other conditions in the place of some, wherever they stand in it.

    Of conditions that stand in each other, the outer one is put.
    """
    substitution = Substitution({}, expression)
    for part in iterate_parts(expression):
        if part in others:
            substitution.done[id(part)] = (part, others[part])
    return substitution.apply_to(expression)
