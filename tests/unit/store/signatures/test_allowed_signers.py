"""Allowed signers are read as OpenSSH reads them; a faulty line is refused, and nothing is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sopforge.errors import MaterialError, StoreError
from sopforge.store.opening import open_store
from sopforge.store.signatures.allowed_signers import (
    OWN_FILE,
    AllowedSigners,
    SignerLine,
    find_signers,
    keep_signers,
    read_own_signers,
    read_signers,
)

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOk16gBlxK6MvTIppZeB4WUOj+C6GgK++wqrLQRVxyxt"


def line(text: str) -> SignerLine:
    (found,) = AllowedSigners(text, "signers").lines
    return found


def refused(text: str) -> tuple[str, str, str]:
    with pytest.raises(MaterialError) as caught:
        _ = AllowedSigners(text, "signers").lines
    (fault,) = caught.value.faults
    return fault.code, fault.where, fault.message


def test_a_line_says_who_signs_with_which_key_for_what_and_when() -> None:
    found = line(
        'ada,"ignored no" namespaces="sopforge-decision,file",valid-after="20260504",'
        f"Valid-Before=202605051230Z {KEY} ada@home"
    )
    assert found.key_type == "ssh-ed25519"
    assert found.public_key == KEY
    assert found.valid_after == datetime(2026, 5, 4, tzinfo=UTC)
    assert found.valid_before == datetime(2026, 5, 5, 12, 30, tzinfo=UTC)
    assert found.allows("file")
    assert not found.allows("sopforge-release")


def test_comments_and_empty_lines_name_nobody() -> None:
    lines = AllowedSigners(f"# who may sign\n\n  \nada {KEY}\n", "signers").lines
    assert [(item.number, item.names) for item in lines] == [(4, ("ada",))]


@pytest.mark.parametrize(
    ("names", "name", "is_of"),
    [
        ("ada", "ada", True),
        ("ada", "Ada", False),
        ("grace,ada", "ada", True),
        ("*@home", "ada@home", True),
        ("*@home", "ada@work", False),
        ("a?a", "ada", True),
        ("a?a", "aa", False),
        ("*,!ada", "ada", False),
        ("*,!ada", "grace", True),
        ("a.a", "ada", False),
        ('"Ada L"', "Ada L", True),
        ("ada", "*", False),
    ],
)
def test_names_are_patterns_as_openssh_has_them(names: str, name: str, *, is_of: bool) -> None:
    assert line(f"{names} {KEY}").is_of(name) is is_of


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ada", "the line lacks names, a key type or a key"),
        (KEY, "the line lacks names, a key type or a key"),
        ("ada ssh-ed25519", "the line lacks names, a key type or a key"),
        (f", {KEY}", "the line names no person"),
        (f'"" {KEY}', "the line names no person"),
        (f"{KEY[:40]} ada", "the line lacks names, a key type or a key"),
        ("ada ssh-ed25519 AAA", "its key is incomplete"),
        (f"ada ssh-rsa {KEY.split()[1]}", "its key type is not ssh-rsa"),
        (f"ada mood=good {KEY}", "there is no option 'mood'"),
        (f"ada cert-authority,cert-authority {KEY}", "the option cert-authority is given twice"),
        (
            f"ada valid-before=tomorrow {KEY}",
            "'tomorrow' is not a valid time for valid-before; write it like 20271231",
        ),
        (
            f"ada valid-after=20261332 {KEY}",
            "'20261332' is not a valid time for valid-after; write it like 20271231",
        ),
    ],
)
def test_a_faulty_line_is_reported_with_its_number(text: str, message: str) -> None:
    assert refused(f"grace {KEY}\n{text}\n") == ("signers-malformed", "signers:2", message)


def test_a_file_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_text("#" * 1_000_001, encoding="utf-8")
    codes = []
    for name in ("nothing", ".", "bytes", "large"):
        with pytest.raises(MaterialError) as caught:
            read_signers(tmp_path / name)
        codes.append(caught.value.faults[0].code)
    assert codes == ["signers-not-found"] * 2 + ["signers-malformed"] * 2


def test_a_store_keeps_its_own_unless_a_file_is_given(tmp_path: Path) -> None:
    objects = open_store(tmp_path / "store").objects
    given = tmp_path / "given"
    given.write_text(f"grace {KEY}\n", encoding="utf-8")
    assert find_signers(objects, None) is None

    keep_signers(objects, AllowedSigners(f"ada {KEY}\n", "file"))

    own = read_own_signers(objects)
    assert own is not None
    assert (own.text, own.place) == (f"ada {KEY}\n", f"{tmp_path}/store/allowed-signers")
    assert find_signers(objects, given) == AllowedSigners(f"grace {KEY}\n", str(given))
    assert open_store(tmp_path / "store").list_domains() == []


def test_a_store_s_own_that_were_spoiled_are_reported(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.objects.replace(OWN_FILE, b"nonsense\n")
    with pytest.raises(StoreError) as caught:
        read_own_signers(store.objects)
    assert caught.value.faults[0].where == f"{tmp_path}/allowed-signers:1"


def test_a_mark_at_the_beginning_of_a_file_is_no_letter_of_a_name(tmp_path: Path) -> None:
    file = tmp_path / "signers"
    file.write_text(f"\N{ZERO WIDTH NO-BREAK SPACE}ada {KEY}\n", encoding="utf-8")
    assert read_signers(file).lines[0].names == ("ada",)


def test_a_name_that_nobody_can_read_is_refused() -> None:
    code, where, message = refused(f"ada\x1b[31m {KEY}\n")
    assert (code, where) == ("signers-malformed", "signers:1")
    assert message == "a name contains invisible characters"
