"""A brief of 200 pages: read, reported before it is sent, and taken up by the offline author."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from sopforge.authors.writers.long_briefs import check_brief_length
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.opening import open_store
from tests.unit.authors.test_model_author import FEES, brief_of

SENTENCE = "Librarians keep the desk tidy and greet each reader before they turn to the slip. "
SECONDS = 60


def draft_of(size: int) -> str:
    """Return a draft of at least so many characters, in chapters."""
    chapter = "\n# Chapter on rooms\n\n" + "\n\n".join([SENTENCE * 2] * 40) + "\n"
    return "# Purpose\n" + chapter * (size // len(chapter) + 1)


def test_a_long_brief_is_reported_with_its_size() -> None:
    brief = replace(brief_of(), draft="x" * 600_000)

    (found,) = check_brief_length(brief)

    assert found.id == "brief-long"
    assert "up to 300," in found.message
    assert "'played'" in found.message


def test_a_brief_of_some_pages_is_not_reported() -> None:
    assert check_brief_length(replace(brief_of(), draft="x" * 100_000)) == []


def test_a_draft_of_200_pages_goes_through_all_stages(tmp_path: Path) -> None:
    (tmp_path / "draft.md").write_text(draft_of(600_000), encoding="utf-8")
    path = tmp_path / "fees.yaml"
    path.write_text(FEES.replace("levels: [L0, L1]", "levels: [L0]") + "draft_sop: draft.md\n")
    start = time.process_time()

    progress = advance(open_store(tmp_path / "store"), load_brief(path), approve_clean=True)

    assert progress.ending is Ending.APPROVED
    assert time.process_time() - start < SECONDS
    sop = (
        open_store(tmp_path / "store").get_domain("fees").list_versions("sop")[-1].files["sop.txt"]
    )
    assert SENTENCE.strip() in sop
