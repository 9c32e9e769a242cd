"""The domain document is the brief's model, as the expert wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import read_brief, read_domain

REFUND = (Path(__file__).parents[2] / "briefs" / "refund.yaml").read_text()


def test_comments_and_order_of_the_model_survive() -> None:
    text = REFUND.replace("  policy:\n", "  policy:  # asked of the supervisor\n    # in days\n")
    written = OfflineAuthor().write_domain(read_brief(text, "brief.yaml"))
    model = text[text.index("model:") : text.index("dataset:")]
    assert written.endswith(model.rstrip() + "\n")


def test_the_document_reads_back_as_the_same_model() -> None:
    brief = read_brief(REFUND, "brief.yaml")
    written = OfflineAuthor().write_domain(brief)
    assert read_domain(written, "domain.yaml") == brief.model


def test_a_brief_in_braces_is_written_anew() -> None:
    value = read_brief(REFUND, "brief.yaml").document.value
    text = yaml.dump(json.loads(json.dumps(value, default=float)), default_flow_style=True)
    brief = read_brief(text, "brief.yaml")
    written = OfflineAuthor().write_domain(brief)
    assert read_domain(written, "domain.yaml").tools == brief.model.tools
