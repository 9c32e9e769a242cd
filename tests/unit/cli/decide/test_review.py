"""``sopforge review`` opens itself to nobody by accident; ``review-user`` names who may."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from review import serving
from review.access.users import Role, UserFile
from review.settings import Settings
from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.pipeline.runs.continuing import Continuation
from sopforge.store.versions import Store

SECRET = "four words and more"  # noqa: S105 - of nobody


def run(*words: str, typed: str = "") -> tuple[int, str, BaseException | None]:
    ran = CliRunner().invoke(app, list(words), input=typed)
    return ran.exit_code, ran.output, ran.exception


@pytest.fixture
def users(tmp_path: Path) -> Path:
    return tmp_path / "users.json"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Settings]:
    """Return what would be served, in the place of serving it."""
    found: list[Settings] = []

    def serve(store: Store, settings: Settings, continuation: Continuation | None) -> None:
        assert store.place
        assert continuation is None
        found.append(settings)

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.chdir(tmp_path)
    return found


def test_it_serves_this_machine_alone_unless_asked_otherwise(
    served: list[Settings], users: Path
) -> None:
    code, output, _ = run("review", "--users", str(users))

    assert code == 0
    assert "http://127.0.0.1:8321/" in output
    assert "Only this machine can open it" in output
    assert [(item.host, item.port, item.is_private) for item in served] == [
        ("127.0.0.1", 8321, True)
    ]


def test_an_address_of_this_machine_that_prefect_links_to_needs_no_users(
    served: list[Settings], users: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOPFORGE_REVIEW_URL", "http://localhost:8321")

    code, output, _ = run("review", "--users", str(users))

    assert (code, "Only this machine can open it" in output) == (0, True)
    assert [item.is_private for item in served] == [True]


def test_reminders_are_asked_for_by_options_or_variables(
    served: list[Settings], users: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ("--users", str(users))
    run("review", *place)
    run("review", *place, "--remind-after", "1.5", "--remind-command", "mail 'the team'")
    monkeypatch.setenv("SOPFORGE_REMIND_AFTER", "24")
    monkeypatch.setenv("SOPFORGE_REMIND_URL", "https://chat.example.org/hook")
    _, output, _ = run("review", *place)

    assert [(item.remind_after, item.remind_url, item.remind_command) for item in served] == [
        (None, "", ()),
        (timedelta(hours=1.5), "", ("mail", "the team")),
        (timedelta(hours=24), "https://chat.example.org/hook", ()),
    ]
    assert "chat.example.org" not in output


def test_a_reminder_without_hours_is_refused(served: list[Settings], users: Path) -> None:
    _, _, refused = run("review", "--users", str(users), "--remind-command", "true")

    assert isinstance(refused, MaterialError)
    assert refused.faults[0].code == "reminder-setting"
    assert served == []


def test_a_scheduler_starts_runs_where_it_is_asked_for(
    users: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found: list[Continuation | None] = []

    def serve(store: Store, settings: Settings, continuation: Continuation | None) -> None:
        assert store.place
        assert settings.is_private
        found.append(continuation)

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.chdir(tmp_path)

    code, _, _ = run("review", "--users", str(users), "--continue", "prefect")

    assert code == 0
    assert [type(item).__name__ for item in found] == ["PrefectContinuation"]


@pytest.mark.parametrize(
    "words",
    [
        ("--host", "192.0.2.1", "--public-url", "https://review.example.org"),
        ("--public-url", "https://review.example.org"),
        ("--identity-header", "X-User"),
    ],
    ids=["another address", "a public name", "a proxy"],
)
def test_it_opens_itself_to_nobody_without_users(
    served: list[Settings], users: Path, words: tuple[str, ...]
) -> None:
    _, _, refused = run("review", "--users", str(users), *words)
    assert isinstance(refused, MaterialError)
    assert refused.faults[0].code == "review-exposed"
    assert "no users are registered" in refused.faults[0].message
    assert served == []

    UserFile(users).add("ada", Role.REVIEWER, SECRET)
    assert run("review", "--users", str(users), *words)[0] == 0
    assert len(served) == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--host", "192.0.2.1"), "review-exposed"),
        (("--public-url", "review.example.org"), "review-address"),
        (("--public-url", "ftp://review.example.org"), "review-address"),
        (("--proxy", "everywhere"), "review-address"),
    ],
)
def test_it_refuses_what_is_no_address(
    served: list[Settings], users: Path, words: tuple[str, ...], code: str
) -> None:
    UserFile(users).add("ada", Role.REVIEWER, SECRET)

    _, _, refused = run("review", "--users", str(users), *words)

    assert isinstance(refused, MaterialError)
    assert refused.faults[0].code == code
    assert served == []


def test_users_are_added_listed_and_removed(users: Path) -> None:
    place = ("--users", str(users))
    added = run("review-user", "add", "ada", "--role", "publisher", *place, typed=f"{SECRET}\n")
    run("review-user", "add", "pat", "--through-proxy", *place)
    listed = run("review-user", "list", *place)[1]

    assert added[:2] == (0, f"ada is a publisher now, in {users}.\n")
    assert UserFile(users).verify_user("ada", SECRET) is not None
    assert [line.split() for line in listed.splitlines()[2:]] == [
        ["ada", "publisher", "with", "a", "secret"],
        ["pat", "reviewer", "through", "a", "proxy"],
    ]
    assert run("review-user", "remove", "ada", *place)[0] == 0
    assert list(UserFile(users).read_users()) == ["pat"]


@pytest.mark.parametrize(
    ("words", "typed", "code"),
    [
        (("eve", "--role", "king"), SECRET, "unknown-role"),
        (("eve",), "short", "secret-too-short"),
        (("eve",), "", "secret-too-short"),
        (("a b",), SECRET, "user-name"),
    ],
)
def test_what_is_no_user_is_refused(
    users: Path, words: tuple[str, ...], typed: str, code: str
) -> None:
    _, output, refused = run("review-user", "add", *words, "--users", str(users), typed=typed)

    assert isinstance(refused, MaterialError)
    assert refused.faults[0].code == code
    assert not users.exists()
    assert SECRET not in output
