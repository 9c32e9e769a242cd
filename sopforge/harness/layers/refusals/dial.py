"""The dial of refusals."""

from __future__ import annotations

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.refusals.making import make_refusals
from sopforge.harness.layers.refusals.refusing import RefusalJudge, Refusals
from sopforge.harness.layers.refusals.working import work_amid_refusals

REFUSALS = Dial(
    Refusals,
    make_refusals,
    work_amid_refusals,
    {"never-refuses": Ability.REFUSING, "always-refuses": Ability.CARRYING_OUT},
    RefusalJudge,
)
