"""The artifacts of a small domain, made once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from review.artifact import Artifact
from review.dossier import load_artifact
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief
from sopforge.pipeline.stages.pipeline import advance, list_approved_versions
from sopforge.store.opening import open_store

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


@pytest.fixture(scope="session")
def refunds(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Artifact]:
    """Return the artifacts of the refunds by stage, each with those that it was made from."""
    store = open_store(tmp_path_factory.mktemp("refunds"))
    brief = read_brief(REFUND.read_text(encoding="utf-8"), REFUND.name)
    keep_brief(store, brief)
    advance(store, brief, approve_clean=True)
    versions = list_approved_versions(store, brief)
    return {
        item.manifest.stage: load_artifact(store.get_domain("refund"), item) for item in versions
    }
