"""The dossier is one file: the page of the review, what was found, and how to decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from review.artifact import Artifact
from review.dossier import render_dossier
from sopforge.findings import make_warning_finding
from tests.judges.markup import parsed


def test_each_dossier_is_one_page_that_asks_for_no_other_file(
    refunds: Mapping[str, Artifact],
) -> None:
    for stage, artifact in refunds.items():
        text = render_dossier(artifact)
        made = parsed(text.removeprefix("<!doctype html>"))

        assert made.one("h1").text == f"Order Refunds: {stage}"
        assert "Status: approved. The checks found nothing." in made.text
        assert [part.text for part in made.all("h2")][-2:] == ["Decide", "About this version"]
        foot = made.all("h2")[-1].parent
        assert foot is not None
        assert "Version 1, written by the offline author; digest" in foot.text
        assert made.all("link") == []
        assert [part for part in made if "src" in part.attributes] == []
        assert ".view" in made.one("style").text
        assert "lightUp" in made.one("script").text
        assert f"sopforge approve refund {stage}" in made.text


def test_findings_are_shown_as_text(refunds: Mapping[str, Artifact]) -> None:
    artifact = refunds["sop"]
    finding = make_warning_finding(
        "x", "a <b>word</b>", where="sop.txt", evidence="<i>", hint="correct it"
    )
    manifest = replace(artifact.version.manifest, findings=(finding,))
    found = replace(artifact, version=replace(artifact.version, manifest=manifest))
    made = parsed(render_dossier(found).removeprefix("<!doctype html>"))

    assert made.all("b") == made.all("i") == []
    assert made.one("ul", kind="findings").text == (
        "warning a <b>word</b> (sop.txt)Case: <i>correct it"
    )


def test_a_stage_without_findings_has_no_section_of_them(refunds: Mapping[str, Artifact]) -> None:
    made = parsed(render_dossier(refunds["schema"]).removeprefix("<!doctype html>"))

    assert "Findings" not in [part.text for part in made.all("h2")]
