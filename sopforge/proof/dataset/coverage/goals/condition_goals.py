"""Goals of conditions: the whole with both results, and each part where it alone decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sopforge.language.domain.expressions.expressions import AllOf, AnyOf, Expression, Not, Presence
from sopforge.proof.dataset.coverage.goals.atoms import replace_atom
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.sites import Site
from sopforge.proof.solving.unfolding import FALSE, TRUE, build_conjunction, negate_condition


def build_yes_no_goals(sites: Iterable[Site]) -> Iterator[Goal]:
    """Ask for each condition where it holds and where it does not; the mistake is never to look."""
    for site in sites:
        fails, held = (
            site.build_meeting_condition(negate_condition(site.condition)),
            (site.put(TRUE),),
        )
        yield Goal(f"{site.id}, no", fails, f"{site.id} does not hold", site.kind, held)
        # Else the goal that the rule or the edge is taken asks for the same.
        if not site.is_taken:
            holds, failed = site.build_meeting_condition(site.condition), (site.put(FALSE),)
            yield Goal(f"{site.id}, yes", holds, f"{site.id} holds", site.kind, failed)


def build_part_goals(site: Site, number: int, atom: Expression, words: str) -> Iterator[Goal]:
    """Ask for both results of a part where it alone decides the whole.

    This is masking MC/DC: the part decides alone where the whole comes out differently with it true
    and with it false, whatever the other parts are. In ``urgent or (amount > 500 and is_new)`` the
    part ``amount > 500`` decides alone where ``not urgent and is_new``. So the two goals are such a
    case with an amount above 500 and one with another amount; their mistakes are the same condition
    with the part always false, and always true.
    """
    yes, no = (replace_atom(site.condition, atom, value) for value in (TRUE, FALSE))
    decides = AnyOf((AllOf((yes, Not(no))), AllOf((Not(yes), no))))
    # What is read after a test for a missing value has none where the test fails.
    alone: Expression = TRUE if isinstance(atom, Presence) else decides
    for name, side, other in (("yes", atom, no), ("no", negate_condition(atom), yes)):
        text = f"in {site.id}, '{words}' alone decides: {name}"
        meeting = site.build_meeting_condition(build_conjunction(alone, side))
        goal = f"{site.id}, part {number} {name}"
        yield Goal(goal, meeting, text, GoalKind.PART, (site.put(other),))
