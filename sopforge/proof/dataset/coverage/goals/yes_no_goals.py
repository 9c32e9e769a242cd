"""Goals of whole conditions, of choices and guards among them: each with both results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.goals.sites import Site
from sopforge.proof.solving.unfolding import FALSE, TRUE, negate_condition


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
