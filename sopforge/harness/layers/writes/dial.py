"""The dial of writes."""

from __future__ import annotations

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.writes.filed import Writes
from sopforge.harness.layers.writes.judging import FilingJudge
from sopforge.harness.layers.writes.making import make_writes
from sopforge.harness.layers.writes.working import work_amid_writes

WRITES = Dial(
    Writes,
    make_writes,
    work_amid_writes,
    {"writes-before-checking": Ability.LOOKING_FIRST, "enters-twice": Ability.WRITING_ONCE},
    FilingJudge,
)
