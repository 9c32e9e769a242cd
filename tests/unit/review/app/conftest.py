"""Stores of a small domain at several stages, and the app over a copy of one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from review.access import users
from review.runs.local_runs import LocalRuns
from review.settings import Settings
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.servers.review_browser import Browser, Served, named_users

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"
TWO = "author: offline\ngates: {approvers: {schema: 2}, checklist: [Every limit is there.]}\n"


def refund(*changes: tuple[str, str]) -> Brief:
    """Return the brief of refunds, with each old text of it replaced by a new one."""
    text = REFUND.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return read_brief(text, "refund.yaml")


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> None:
    """Have secrets hashed with little work: how much is the library's own default."""
    users._HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # noqa: SLF001


@pytest.fixture(scope="session")
def waiting_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which the schema waits; tests leave it as it is."""
    folder = tmp_path_factory.mktemp("waiting")
    advance(open_store(folder), refund())
    return folder


@pytest.fixture(scope="session")
def passed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which all gates are passed, and a release is published."""
    folder = tmp_path_factory.mktemp("passed")
    store, brief = open_store(folder), refund()
    advance(store, brief, approve_clean=True)
    publish(store, brief)
    return folder


@pytest.fixture(scope="session")
def user_file(tmp_path_factory: pytest.TempPathFactory, quick_hashes: None) -> Path:  # noqa: ARG001 - comes first
    """Return a file with a user of each role."""
    return named_users(tmp_path_factory.mktemp("users"))


Serve = Callable[..., Served]


@pytest.fixture
def serve(user_file: Path, tmp_path: Path) -> Serve:
    """Return what serves a copy of a store; runs go on at once, in this process."""

    def served(
        folder: Path, *, has_users: bool = True, runs: LocalRuns | None = None, **settings: object
    ) -> Served:
        copy = shutil.copytree(folder, tmp_path / "store", dirs_exist_ok=True)
        store = open_store(copy)
        users_file = user_file if has_users else tmp_path / "none" / "users.json"
        return Served(store, Settings(users_file, **settings), going_on(store), runs)  # type: ignore[arg-type]

    return served


def going_on(store: Store) -> Callable[[str], None]:
    """Return what takes a domain on at once."""

    def go_on(domain: str) -> None:
        advance(store, load_latest_brief(store.get_domain(domain)))

    return go_on


@pytest.fixture
def served(serve: Serve, waiting_store: Path) -> Served:
    """Return the app over a store in which the schema waits."""
    return serve(waiting_store)


@pytest.fixture
def ada(served: Served) -> Browser:
    """Return the browser of a reviewer."""
    return served.browser("ada")
