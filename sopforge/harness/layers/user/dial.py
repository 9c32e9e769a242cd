"""The dial of the user."""

from __future__ import annotations

from sopforge.harness.layers.dial import Dial
from sopforge.harness.layers.user.making import make_requester
from sopforge.harness.layers.user.requester import Requester
from sopforge.harness.layers.user.working import YIELDS, work_amid_user
from sopforge.harness.users.yielding import YIELDING_AGENTS

USER = Dial(
    Requester,
    make_requester,
    work_amid_user,
    {
        name: ability
        for ability, manner in YIELDS.items()
        for name, yields in YIELDING_AGENTS.items()
        if yields is manner
    },
)
