"""The dial of documents."""

from __future__ import annotations

from functools import partial

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.documents.making import make_documents
from sopforge.harness.layers.documents.working import work_amid_documents
from sopforge.harness.layers.text.read_steps import StepReader

DOCUMENTS = Dial(
    Handbook,
    make_documents,
    partial(work_amid_documents, read=StepReader()),
    {
        "top-passages": Ability.FOLLOWING,
        "latest-wins": Ability.DATING,
        "first-similar-tool": Ability.READING_ON,
    },
    rewords_sop=True,
)
