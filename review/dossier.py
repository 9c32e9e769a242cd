"""The dossier of a stage: one self-contained page on which a reviewer can base a decision."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from review.artifact import Artifact
from review.pages.registry import build_artifact_page
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.gates.gate import derive_state
from sopforge.pipeline.stages.building.orders import build_workspace
from sopforge.store.course import find_current_version
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import STAGE_NAMES


def load_artifact(domain: DomainStore, version: Version) -> Artifact:
    """Return a version with the newest versions of the stages before it, and its state."""
    before = STAGE_NAMES[: STAGE_NAMES.index(version.manifest.stage)]
    found = [find_current_version(domain, name) for name in before]
    versions = [*(item for item in found if item is not None), version]
    workspace = build_workspace(load_latest_brief(domain), versions)
    return Artifact(domain.name, version, workspace, derive_state(domain, version))


def render_dossier(artifact: Artifact) -> str:
    """Return the page as HTML; all text of the artifact is escaped, so that it stays text."""
    page = build_artifact_page(artifact)
    fragment = _build_environment().get_template(page.template).render(page.context)
    return (
        _build_environment()
        .get_template("dossier.html.j2")
        .render(
            title=artifact.workspace.brief.parts.title,
            manifest=artifact.version.manifest,
            number=artifact.version.number,
            state=artifact.state.value,
            files=artifact.files,
            artifact=_as_it_is(fragment),
            style=_as_it_is(_read_static("pages.css")),
            script=_as_it_is(_read_static("pages.js")),
        )
    )


@cache
def _build_environment() -> Environment:
    return Environment(
        loader=PackageLoader("review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _as_it_is(text: str) -> Markup:
    """Return what our own templates and files hold, not to be escaped again."""
    return Markup(text)  # noqa: S704 - no artifact's text but what a template has escaped


def _read_static(name: str) -> str:
    return files("review").joinpath("static", name).read_text(encoding="utf-8")
