"""Artifacts under review, made from a small brief, and their pages as trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jinja2 import Environment, PackageLoader, StrictUndefined

from review.artifact import Artifact
from review.pages.page import Page
from review.pages.registry import build_artifact_page
from tests.judges.markup import Element, parsed

ENVIRONMENT = Environment(
    loader=PackageLoader("review"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def shown(page: Page, **context: object) -> str:
    return ENVIRONMENT.get_template(page.template).render({**page.context, **context})


def page_text(artifact: Artifact, query: Mapping[str, str] | None = None) -> str:
    return shown(build_artifact_page(artifact, query))


def page(artifact: Artifact, query: Mapping[str, str] | None = None) -> Element:
    return parsed(page_text(artifact, query))


def with_files(artifact: Artifact, files: Mapping[str, str]) -> Artifact:
    return replace(artifact, workspace=artifact.workspace.with_files(files))
