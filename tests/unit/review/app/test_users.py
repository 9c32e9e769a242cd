"""Users and the key of sessions are kept for their owner alone, and bad files are reported."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from review.access.session_key import load_session_key
from review.access.users import Role, UserFile
from review.settings import Settings, is_loopback
from sopforge.errors import MaterialError

SECRET = "four words and more"  # noqa: S105 - of nobody


@pytest.fixture
def file(tmp_path: Path) -> UserFile:
    return UserFile(tmp_path / "folder" / "users.json")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_secret_is_kept_as_a_hash_for_its_owner_alone(file: UserFile) -> None:
    file.add("ada", Role.REVIEWER, SECRET)

    assert SECRET not in file.path.read_text(encoding="utf-8")
    assert "$argon2id$" in file.path.read_text(encoding="utf-8")
    assert (mode(file.path), mode(file.path.parent)) == (0o600, 0o700)
    user = file.verify_user("ada", SECRET)
    assert user is not None
    assert (user.name, user.role) == ("ada", Role.REVIEWER)


@pytest.mark.parametrize(
    ("name", "secret"), [("ada", "another secret"), ("ada", ""), ("eve", SECRET), ("pat", "")]
)
def test_nothing_else_is_verified(file: UserFile, name: str, secret: str) -> None:
    file.add("ada", Role.REVIEWER, SECRET)
    file.add("pat", Role.VIEWER, None)

    assert file.verify_user(name, secret) is None


def test_a_change_by_another_process_is_seen(file: UserFile) -> None:
    other = UserFile(file.path)
    assert other.read_users() == {}
    file.add("ada", Role.REVIEWER, SECRET)
    assert list(other.read_users()) == ["ada"]
    file.remove("ada")
    assert other.read_users() == {}


@pytest.mark.parametrize(
    ("name", "secret", "code"),
    [
        ("", SECRET, "user-name"),
        ("a b", SECRET, "user-name"),
        ("../a", SECRET, "user-name"),
        ("approve-clean", SECRET, "user-name"),
        ("<b>", SECRET, "user-name"),
        ("x" * 65, SECRET, "user-name"),
        ("eve", "short", "secret-too-short"),
        ("eve", "", "secret-too-short"),
        ("ada", SECRET, "user-exists"),
    ],
)
def test_what_is_no_user_is_not_added(file: UserFile, name: str, secret: str, code: str) -> None:
    file.add("ada", Role.REVIEWER, SECRET)

    with pytest.raises(MaterialError) as refused:
        file.add(name, Role.VIEWER, secret)

    assert [fault.code for fault in refused.value.faults] == [code]
    assert list(file.read_users()) == ["ada"]


def test_a_user_who_is_not_there_is_not_removed(file: UserFile) -> None:
    with pytest.raises(MaterialError, match="unknown-user: there is no user 'eve'"):
        file.remove("eve")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[]",
        "{}",
        '{"format": 2, "users": {}}',
        '{"format": 1, "users": {"a": {}}}',
        '{"format": 1, "users": {"a": {"role": "king", "secret": ""}}}',
    ],
)
def test_a_file_of_something_else_lets_nobody_in(file: UserFile, text: str) -> None:
    file.path.parent.mkdir()
    file.path.write_text(text, encoding="utf-8")

    with pytest.raises(MaterialError, match="users-unreadable"):
        file.verify_user("a", SECRET)


def test_a_broken_hash_verifies_nothing(file: UserFile) -> None:
    file.add("ada", Role.REVIEWER, SECRET)
    value = json.loads(file.path.read_text(encoding="utf-8"))
    value["users"]["ada"]["secret"] = SECRET
    file.path.write_text(json.dumps(value), encoding="utf-8")

    assert file.verify_user("ada", SECRET) is None


def test_the_key_of_sessions_stays_and_is_its_owners_alone(tmp_path: Path) -> None:
    first = load_session_key(tmp_path / "users.json")

    assert len(first) == 64
    assert load_session_key(tmp_path / "users.json") == first
    assert mode(tmp_path / "review-session.key") == 0o600


@pytest.mark.parametrize("data", [b"", b"short", b"\xff" * 80])
def test_a_malformed_key_is_reported(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "review-session.key").write_bytes(data)

    with pytest.raises(MaterialError, match="session-key"):
        load_session_key(tmp_path / "users.json")


@pytest.mark.parametrize(
    ("role", "covered"),
    [
        (Role.VIEWER, {Role.VIEWER}),
        (Role.REVIEWER, {Role.VIEWER, Role.REVIEWER}),
        (Role.PUBLISHER, {Role.VIEWER, Role.REVIEWER, Role.PUBLISHER}),
    ],
)
def test_a_role_covers_those_before_it(role: Role, covered: set[Role]) -> None:
    assert {other for other in Role if role.covers(other)} == covered


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("localhost", True),
        ("8.8.8.8", False),
        ("::", False),
        ("192.168.1.4", False),
        ("review.example", False),
    ],
)
def test_addresses_of_this_machine_alone_are_known(host: str, *, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [("10.1.2.3", True), ("11.1.2.3", False), ("::1", False), ("testclient", False), ("", False)],
)
def test_a_proxy_is_known_by_its_network(address: str, *, expected: bool) -> None:
    settings = Settings(Path("users.json"), identity_header="X-User").with_proxies(["10.0.0.0/8"])

    assert settings.is_proxy(address) is expected
    assert not Settings(Path("users.json")).with_proxies(["10.0.0.0/8"]).is_proxy(address)
