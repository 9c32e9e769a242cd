"""Which node of a guard decided: compared with brute force over all cases, on random trees.

The judge knows truth tables alone: a node settles a group if, with the leaves below it as they are,
no case of the other leaves changes what the group comes to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

from sopforge.language.domain.expressions.expressions import Read
from sopforge.language.domain.guards import (
    Guard,
    GuardGroup,
    GuardKind,
    GuardLeaf,
    build_guard_condition,
    list_guard_ids,
)
from sopforge.language.domain.values.types import BOOLEAN
from sopforge.language.logic.call_verdicts import find_guard_node
from sopforge.language.logic.guard_verdicts import judge_guard
from sopforge.language.logic.readings.scalar import holds

Case = Mapping[str, int]
MOST_LEAVES = 5


def make_tree(random: Random, leaves: Iterator[str], depth: int) -> Guard:
    """Return a random tree whose leaves each read a field of their own."""
    if depth == 0 or random.random() < 0.25:
        name = next(leaves)
        return GuardLeaf(name, Read(BOOLEAN, name), "code", "words")
    kind = random.choice(list(GuardKind))
    count = 1 if kind is GuardKind.NOT else random.choice((1, 2, 2, 3))
    children = tuple(make_tree(random, leaves, depth - 1) for _ in range(count))
    return GuardGroup(f"g{random.randrange(10**9)}", kind, children, "code", "words")


def list_leaves(guard: Guard) -> list[str]:
    return [name for name in list_guard_ids(guard) if name.startswith("leaf")]


def comes_to(guard: Guard, case: Case) -> bool:
    """Return what a tree comes to, by the meaning of its kinds."""
    if isinstance(guard, GuardLeaf):
        return bool(case[guard.id])
    truths = [comes_to(child, case) for child in guard.children]
    match guard.kind.value:
        case "not":
            return not truths[0]
        case "any" | "first":
            return True in truths
        case _:
            return False not in truths


def settles(group: GuardGroup, child: Guard, case: Case) -> bool:
    """Return whether a node alone settles what its group comes to, whatever the other leaves."""
    own = list_leaves(child)
    others = [name for name in list_leaves(group) if name not in own]
    cases = (
        {**case, **dict(zip(others, truths, strict=True))}
        for truths in product((0, 1), repeat=len(others))
    )
    return {comes_to(group, other) for other in cases} == {comes_to(group, case)}


def decided_by(guard: Guard, case: Case) -> str:
    if isinstance(guard, GuardLeaf) or guard.kind.value == "not":
        return guard.id
    found = [child for child in guard.children if settles(guard, child, case)]
    # Only "any" has no order: of several that settle it, none is the one.
    if not found or (guard.kind.value == "any" and len(found) > 1):
        return guard.id
    return decided_by(found[0], case)


def test_truth_and_decider_are_those_of_brute_force() -> None:
    for number in range(60):
        random = Random(number)  # noqa: S311 - no secret
        tree = make_tree(random, (f"leaf{place}" for place in range(100)), 3)
        leaves = list_leaves(tree)
        if len(leaves) > MOST_LEAVES:
            leaves = leaves[:MOST_LEAVES]
        fixed = dict.fromkeys(list_leaves(tree), number % 2)
        for truths in product((0, 1), repeat=len(leaves)):
            case = {**fixed, **dict(zip(leaves, truths, strict=True))}

            verdict = judge_guard(tree, case)

            assert verdict.is_met == comes_to(tree, case), number
            assert verdict.is_met == holds(build_guard_condition(tree), case), number
            assert verdict.decider == decided_by(tree, case), number


def test_a_node_is_found_after_a_group_that_lacks_it() -> None:
    leaves = [GuardLeaf(name, Read(BOOLEAN, name), "code", "words") for name in "abc"]
    first = GuardGroup("first", GuardKind.ANY, (leaves[0], leaves[1]), "code", "words")
    whole = GuardGroup("whole", GuardKind.ALL, (first, leaves[2]), "code", "words")

    assert find_guard_node(whole, "c") is leaves[2]
    assert find_guard_node(whole, "b") is leaves[1]
    assert find_guard_node(whole, "first") is first
