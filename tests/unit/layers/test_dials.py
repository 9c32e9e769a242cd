"""The dials as each part of the program knows them."""

from __future__ import annotations

from sopforge.harness.layers.dials import DIALS, SKILLS
from sopforge.language.domain.documents import schema
from sopforge.session.layers import LAYERS


def test_briefs_and_sessions_know_the_dials_that_are_put_around_cases() -> None:
    assert DIALS.keys() == schema.DIALS.keys() == LAYERS.keys()
    assert schema.DialsDocument.model_fields.keys() == DIALS.keys()


def test_programs_read_the_sop_before_they_work_from_the_outermost_layer_inwards() -> None:
    by_skill = {id(dial.work): name for name, dial in DIALS.items()}

    assert [by_skill[id(skill)] for skill in SKILLS] == [
        *("documents", "ambiguity", "faults", "user", "records", "writes", "queue", "refusals"),
    ]
