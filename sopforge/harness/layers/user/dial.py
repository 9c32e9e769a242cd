"""The dial of the user."""

from __future__ import annotations

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.user.making import make_requester
from sopforge.harness.layers.user.requester import Requester
from sopforge.harness.layers.user.working import work_amid_user

USER = Dial(
    Requester,
    make_requester,
    work_amid_user,
    {
        "first-word": Ability.HEARING_OUT,
        "believing": Ability.GOING_BY_RECORDS,
        "obeying": Ability.STANDING_FIRM,
    },
)
