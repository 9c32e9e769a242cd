from __future__ import annotations

import json

from sopforge.domain.reading import read_brief
from tests.unit.domain.minimal_brief import BRIEF, SOURCE

HEAD, _, MODEL = BRIEF.partition("model:\n")


def facts_text(text: str) -> str:
    return read_brief(text, SOURCE).facts_text


def test_the_facts_go_on_to_the_end_where_nothing_follows_them() -> None:
    assert facts_text(BRIEF) == f"model:\n{MODEL}"


def test_the_facts_end_where_the_next_part_begins() -> None:
    assert facts_text(f"{BRIEF}dataset: {{n_samples: 80}}\n") == f"model:\n{MODEL}"


def test_the_facts_begin_behind_the_parts_before_them() -> None:
    assert facts_text(f"model:\n{MODEL}{HEAD}") == f"model:\n{MODEL}"


def test_the_facts_keep_comments_and_order() -> None:
    noted = BRIEF.replace("  policy:\n", "  # said twice\n  policy:\n")
    assert facts_text(noted).startswith("model:\n  # said twice\n  policy:\n")


def test_facts_that_share_a_line_are_written_anew() -> None:
    """JSON is YAML; a brief in it has no line where its facts begin."""
    plain = read_brief(BRIEF, SOURCE).document.value
    written = facts_text(json.dumps(plain, default=float))
    assert written.startswith("model:\n  policy:\n    return_days:\n      value: 30\n")
    assert read_brief(HEAD + written, SOURCE).model.steps == read_brief(BRIEF, SOURCE).model.steps
