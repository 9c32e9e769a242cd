"""Text of artifacts stays text: markup, quotes, marks of direction and very long values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from review.artifact import Artifact
from review.pages.parts.hidden_marks import find_hidden_marks
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.workspace import (
    COVERAGE,
    DOMAIN,
    EXPLANATIONS,
    OPENAPI,
    ROWS,
    SOP_TEXT,
    SOP_TRACE,
    TASKS,
    TOOLSPECS,
    TRAJECTORIES,
)
from tests.worlds.reviewed import page, page_text, with_files

SCRIPT = "<script>alert(1)</script>"
QUOTES = "\"><img src=x onerror='alert(1)'>"
HOSTILE = f"{SCRIPT}{QUOTES}{{{{ 7 * 7 }}}}"
OVERRIDE = "\u202e"
LONG = "x" * 10_000
SAID, LABEL = re.compile("identifier of the request", re.IGNORECASE), "Changed mind"
QUERIES: Mapping[str, Mapping[str, str]] = {
    "schema": {"case": "1", "v.reason": HOSTILE},
    "sop": {},
    "dataset": {"find": HOSTILE},
    "api": {},
    "toolspec": {},
    "tools": {"file": "tools.py"},
    "complexity": {"level": "L1"},
}


def spoiled(artifact: Artifact, text: str) -> Artifact:
    """Return an artifact with a text where descriptions and values of tasks stand."""
    inner, whole = json.dumps(text)[1:-1], json.dumps(text)
    files = {}
    for name, content in artifact.workspace.files.items():
        if name.endswith((".json", ".jsonl")):
            files[name] = SAID.sub(lambda _: inner, content).replace(LABEL, inner)
        elif name.endswith(".yaml"):
            files[name] = SAID.sub(lambda _: whole, content)
    return with_files(artifact, files)


@pytest.mark.parametrize("stage", QUERIES)
@pytest.mark.parametrize("is_live", [True, False], ids=["live", "alone"])
def test_no_text_becomes_markup(
    refunds: Mapping[str, Artifact], stage: str, *, is_live: bool
) -> None:
    query = QUERIES[stage] if is_live else None
    made = page(spoiled(refunds[stage], HOSTILE), query)

    assert made.all("script") == made.all("img") == []
    assert not [part for part in made if any(name.startswith("on") for name in part.attributes)]
    assert not [part for part in made.all("h2") if "cannot read these" in part.text]
    if stage in {"schema", "dataset", "api", "toolspec"}:
        assert "{{ 7 * 7 }}" in made.text


@pytest.mark.parametrize("stage", QUERIES)
def test_long_values_fold_up(refunds: Mapping[str, Artifact], stage: str) -> None:
    text = page_text(spoiled(refunds[stage], LONG), QUERIES[stage])

    assert len(text) < 3_000_000


def test_an_sop_with_a_script_in_it_is_shown_as_text(refunds: Mapping[str, Artifact]) -> None:
    document = SopDocument(
        (Statement(Style.PARAGRAPH, HOSTILE), Statement(Style.ROW, f"| {SCRIPT} | b |"))
    )
    files = {SOP_TEXT: document.as_text(), SOP_TRACE: document.as_trace()}
    made = page(with_files(refunds["sop"], files), {})

    assert made.all("script") == made.all("img") == []
    assert made.one("p", id="sp1").text == HOSTILE
    assert made.one("tr", id="sp2").text.startswith(SCRIPT)


def test_a_tool_with_markup_in_its_source_is_shown_as_text(refunds: Mapping[str, Artifact]) -> None:
    source = f'def payRefund():\n    """{SCRIPT}"""\n    return "{SCRIPT}"\n'
    made = page(with_files(refunds["tools"], {"tools/tools.py": source}), {"file": "tools.py"})

    assert made.all("script") == []
    assert made.all("pre", kind="code")[-1].text.count(SCRIPT) == 2


def test_tools_that_are_no_python_are_shown_as_they_are(refunds: Mapping[str, Artifact]) -> None:
    made = page(
        with_files(refunds["tools"], {"tools/tools.py": "I am sorry.\0"}), {"file": "tools.py"}
    )

    assert "The file tools.py has no function of this name." in made.text
    assert "I am sorry." in made.one("pre").text


@pytest.mark.parametrize(
    ("stage", "name", "text"),
    [
        ("schema", DOMAIN, "- a list"),
        ("schema", DOMAIN, "a: [" * 3_000),
        ("api", OPENAPI, "{"),
        ("api", OPENAPI, "[]"),
        ("api", OPENAPI, "openapi: 3.1.0\npaths: {/a: {get: 5}}\ninfo: {}"),
        ("toolspec", TOOLSPECS, "[{}]"),
        ("toolspec", TOOLSPECS, "[" * 100_000),
        ("toolspec", TOOLSPECS, '[{"toolSpec": {"name": "x"}}]'),
        ("sop", SOP_TEXT, "other"),
    ],
)
def test_what_cannot_be_read_is_shown_with_the_reason(
    refunds: Mapping[str, Artifact], stage: str, name: str, text: str
) -> None:
    made = page(with_files(refunds[stage], {name: text}), {})

    assert made.one("div", role="alert").text
    assert " ".join(text.split())[:50] in made.text


def test_a_very_large_text_that_cannot_be_read_is_cut(refunds: Mapping[str, Artifact]) -> None:
    text = page_text(with_files(refunds["api"], {OPENAPI: "{" + "x" * 300_000}), {})

    assert len(text) < 210_000
    assert "100,001 more characters are not shown" in text


def test_hidden_marks_are_reported_with_what_stands_around_them(
    refunds: Mapping[str, Artifact],
) -> None:
    artifact = refunds["sop"]
    text = artifact.workspace.files[SOP_TEXT].replace("200 USD", f"2{OVERRIDE}00 USD", 1)
    made = page(with_files(artifact, {SOP_TEXT: text}), {})
    (mark,) = find_hidden_marks({"sop.txt": text, "other": "plain\n\ttext\r\n"})

    assert (mark.count, mark.names) == (1, ("right-to-left override",))
    assert "2[U+202E]00 USD" in mark.around
    assert "2[U+202E]00 USD" in made.one("div", kind="warning").text


def test_data_is_kept_apart_from_what_stands_beside_it(refunds: Mapping[str, Artifact]) -> None:
    made = page(spoiled(refunds["dataset"], f"{OVERRIDE}evil"), {})
    holders = [
        part for part in made if OVERRIDE in "".join(c for c in part.children if isinstance(c, str))
    ]

    assert holders
    assert {part.name for part in holders} <= {"bdi", "option", "title", "text", "code", "pre"}


def test_files_that_are_not_there_leave_their_parts_out(refunds: Mapping[str, Artifact]) -> None:
    dataset = refunds["dataset"]
    names = {COVERAGE, EXPLANATIONS, ROWS, "dataset/data_profile.json", "dataset/shortcuts.json"}
    kept = {name: text for name, text in dataset.workspace.files.items() if name not in names}
    bare = Artifact(
        dataset.domain,
        dataset.version,
        type(dataset.workspace)(dataset.workspace.brief, kept),
        dataset.state,
    )
    made = page(bare)

    assert {TASKS, TRAJECTORIES} <= kept.keys()
    assert made.all("section", **{"aria-labelledby": "coverage"}) == []
    assert len(made.one("table", kind="tasks").one("tbody").all("tr")) == 12
