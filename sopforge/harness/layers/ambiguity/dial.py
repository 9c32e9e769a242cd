"""The dial of ambiguity."""

from __future__ import annotations

from functools import partial

from sopforge.harness.layers.ambiguity.ambiguous import Ambiguity
from sopforge.harness.layers.ambiguity.making import make_ambiguity
from sopforge.harness.layers.ambiguity.misreading import work_amid_ambiguity
from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.text.read_steps import StepReader

AMBIGUITY = Dial(
    Ambiguity,
    make_ambiguity,
    partial(work_amid_ambiguity, read=StepReader()),
    {"careless": Ability.WEIGHING},
    rewords_sop=True,
)
