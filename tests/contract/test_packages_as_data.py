"""A published package with tables is said as data too, and its check notices where the two part."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.artifacts.packaging.sop_bench import LAYOUT
from sopforge.artifacts.packaging.state.reading import load_state
from sopforge.artifacts.packaging.state.shapes import FRAMES, GOLD, REQUESTS, STATE_FILES
from sopforge.checks.package.package_solved import PREFIX
from sopforge.checks.package.package_state import CHECK
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.workspace import Workspace
from tests.worlds.packages import package_texts
from tests.worlds.releases import COUNTER, publish_counter
from tests.worlds.shared_builds import Shared


@pytest.fixture(scope="module")
def texts(shared: Shared) -> dict[str, str]:
    return package_texts(publish_counter(shared))


def list_codes(texts: dict[str, str]) -> list[tuple[str, str]]:
    files = {f"{PREFIX}{name}": text for name, text in texts.items()}
    found = CHECK.examine(Workspace(load_brief(COUNTER), files))
    return [(finding.id, finding.where) for finding in found]


def test_a_published_package_loads_as_data(shared: Shared, texts: dict[str, str]) -> None:
    state = load_state(publish_counter(shared))

    assert [item.task_id for item in state.gold] == [item.task_id for item in state.requests]
    assert len(state.gold) == 60
    assert {item.decided_by.acts for item in state.gold} == {True, False}
    assert all(bool(item.end_state) == item.decided_by.acts for item in state.gold)
    assert sum(not call.is_minimal for item in state.gold for call in item.calls) > 10
    assert list_codes(texts) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        # A value of its column, and another one than in the records.
        (FRAMES, '"blocked": "no"', '"blocked": "yes"', "state-differs"),
        (GOLD, '"is_minimal": false', '"is_minimal": true', "state-differs"),
        (REQUESTS, '"split": "', '"split": "x', "state-differs"),
        ("records_account.csv", ",no,", ",yes,", "state-differs"),
        (FRAMES, '"records": {', '"records": {"A": {}, ', "state-unknown"),
        (GOLD, '"needs": [', '"needs": ["x", ', "state-malformed"),
    ],
)
def test_what_differs_is_reported(
    texts: dict[str, str], name: str, old: str, new: str, code: str
) -> None:
    assert old in texts[name]
    codes = {found for found, _ in list_codes({**texts, name: texts[name].replace(old, new, 1)})}

    assert codes == {code}


@pytest.mark.parametrize("name", STATE_FILES)
def test_a_file_that_is_missing_is_reported(texts: dict[str, str], name: str) -> None:
    kept = {other: text for other, text in texts.items() if other != name}

    assert list_codes(kept) == [("state-missing", name)]


def test_a_package_of_an_earlier_layout_needs_none(texts: dict[str, str]) -> None:
    kept = {name: text for name, text in texts.items() if name not in STATE_FILES}
    said = kept["provenance.json"]
    kept["provenance.json"] = said.replace(f", layout {LAYOUT}", f", layout {LAYOUT - 1}")

    assert kept["provenance.json"] != said
    assert list_codes(kept) == []


def test_what_agents_may_see_has_no_secret_of_the_tables(
    shared: Shared, texts: dict[str, str]
) -> None:
    state = load_state(publish_counter(shared))
    codes = {str(record["code"]) for record in state.frames.tables["account"].records.values()}
    for request, line in zip(state.requests, texts[REQUESTS].splitlines(), strict=True):
        own = str(request.request["pin"].value)
        assert not [code for code in codes - {own} if code in line]


def test_the_carried_environment_needs_none_of_the_files_and_has_the_same_records(
    shared: Shared,
) -> None:
    folder: Path = publish_counter(shared)
    state = load_state(folder)
    for name, table in state.frames.tables.items():
        file = "records.csv" if name == "request" else f"records_{name}.csv"
        assert len((folder / file).read_text().splitlines()) == len(table.records) + 1
