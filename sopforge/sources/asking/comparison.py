"""All comparisons of passages with what conditions ask that cite them."""

from __future__ import annotations

from sopforge.domain.model import DomainModel
from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt
from sopforge.sources.asking.lost_cases import find_lost_cases
from sopforge.sources.asking.regardless import find_read_regardless_of
from sopforge.sources.asking.remainders import find_narrow_remainders
from sopforge.sources.asking.sides import Sides
from sopforge.sources.asking.swapped import find_swapped
from sopforge.sources.asking.terms import find_other_terms
from sopforge.sources.asking.unread import find_unread
from sopforge.sources.asking.unsaid import find_unsaid

_FINDERS = (
    find_unsaid,
    find_unread,
    find_swapped,
    find_lost_cases,
    find_other_terms,
    find_narrow_remainders,
    find_read_regardless_of,
)


def find_condition_doubts(account: Account, model: DomainModel) -> list[Doubt]:
    """Return all differences between passages and the conditions that cite them, each once."""
    sides = Sides(account, model)
    return list(dict.fromkeys(doubt for find in _FINDERS for doubt in find(sides)))
