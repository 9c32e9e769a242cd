"""All comparisons of passages with the items that cite them."""

from __future__ import annotations

from sopforge.sources.account import Account
from sopforge.sources.agreement.answers import find_answers
from sopforge.sources.agreement.cited_labels import (
    find_cells,
    find_given_labels,
    find_lost_labels,
    find_meant_labels,
    find_mixed_labels,
    find_orders,
    find_other_labels,
    find_pairs,
    find_quoted_labels,
)
from sopforge.sources.agreement.conditions import find_unread_labels
from sopforge.sources.agreement.defaults import (
    find_defaults,
    find_displaced_defaults,
    find_lost_nothing,
)
from sopforge.sources.agreement.doubts import Doubt
from sopforge.sources.agreement.exceptions import (
    find_exceptions,
    find_left_out,
    find_turned_exceptions,
    find_unread_things,
)
from sopforge.sources.agreement.figures import (
    find_exchanged_figures,
    find_figures,
    find_other_starts,
    find_own_figures,
)
from sopforge.sources.agreement.grids import find_misplaced_entries
from sopforge.sources.agreement.limits import (
    find_carried_limits,
    find_directions,
    find_limits,
    find_open_limits,
)

_FINDERS = (
    find_figures,
    find_own_figures,
    find_other_starts,
    find_limits,
    find_carried_limits,
    find_open_limits,
    find_given_labels,
    find_lost_labels,
    find_meant_labels,
    find_mixed_labels,
    find_quoted_labels,
    find_directions,
    find_cells,
    find_misplaced_entries,
    find_exceptions,
    find_unread_things,
    find_unread_labels,
    find_turned_exceptions,
    find_left_out,
    find_defaults,
    find_displaced_defaults,
    find_lost_nothing,
    find_exchanged_figures,
    find_other_labels,
    find_pairs,
    find_orders,
    find_answers,
)


def find_doubts(account: Account) -> list[Doubt]:
    """Return all differences between passages and items, each once."""
    return list(dict.fromkeys(doubt for find in _FINDERS for doubt in find(account)))
