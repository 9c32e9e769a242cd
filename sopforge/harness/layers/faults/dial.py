"""The dial of faults."""

from __future__ import annotations

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.faults.faulty import Faults
from sopforge.harness.layers.faults.making import make_faults
from sopforge.harness.layers.faults.recovering import work_amid_faults

FAULTS = Dial(
    Faults,
    make_faults,
    work_amid_faults,
    {
        "never-retries": Ability.REPEATING,
        "retries-for-ever": Ability.TURNING_AWAY,
        "trusts-any-value": Ability.DOUBTING,
    },
)
