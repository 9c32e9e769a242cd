"""Faults come in the order of the document, whatever its file is called."""

from __future__ import annotations

import pytest

from sopforge.errors import Fault
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.yaml_documents import Document


@pytest.mark.parametrize("file", ["b.yaml", "a, b.yaml", "C:/briefs/b.yaml", "a:99, b.yaml"])
def test_faults_come_in_the_order_of_their_lines(file: str) -> None:
    late = Fault("late", "second", f"{file}:14, model.policy")
    early = Fault("early", "first", f"{file}:9")

    gathering = Gathering(Document("model", {}, {(): 1}), [late, early])

    assert gathering.sort_faults() == [early, late]
