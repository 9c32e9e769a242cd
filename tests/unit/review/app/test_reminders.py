"""People are reminded of what waits: once in each interval, whatever fails, and never in public."""

from __future__ import annotations

import json
import logging
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from review.reminding.delivering import Command, NotDeliveredError, Webhook
from review.reminding.reminders import Reminders, build_reminders
from review.reminding.sent_reminders import NAME
from review.serving import refuse_reminders
from review.settings import Settings
from sopforge.errors import MaterialError
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.overview import Next, Overview, build_overview
from tests.servers.review_browser import Served
from tests.unit.review.app.conftest import Serve
from tests.worlds.quick_builds import settle

DAY = timedelta(hours=24)
SECRET = "T0KEN-of-a-channel"  # noqa: S105 - of nobody


@dataclass
class Receiver:
    """A webhook on loopback."""

    url: str = ""
    status: int = 204
    got: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            made.paths.append(self.path)
            made.got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(made.status)
            self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/hooks/{SECRET}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


@dataclass
class Clock:
    """A clock that is set by hand, so many hours after the schema was made."""

    made: datetime
    hours: float = 0

    def __call__(self) -> datetime:
        return self.made + timedelta(hours=self.hours)


@pytest.fixture
def served(serve: Serve, waiting_store: Path, tmp_path: Path) -> Served:
    """Return the app over a store in which the schema waits, with users of its own."""
    found = serve(waiting_store, remind_after=DAY)
    return replace(found, settings=replace(found.settings, users_file=tmp_path / "users.json"))


@pytest.fixture
def clock(served: Served) -> Clock:
    return Clock(datetime.fromisoformat(build_overview(served.store.get_domain("refund")).since))


@pytest.fixture
def reminding(served: Served, receiver: Receiver, clock: Clock) -> Callable[[], Reminders]:
    """Return what makes the reminders of an app that is started."""

    def made() -> Reminders:
        found = build_reminders(served.store, replace(served.settings, remind_url=receiver.url))
        assert found is not None
        return replace(found, now=clock)

    return made


def test_a_reminder_says_what_waits_for_how_long_and_where(
    reminding: Callable[[], Reminders], receiver: Receiver, clock: Clock, served: Served
) -> None:
    clock.hours = 25.5
    reminding().remind()

    row = build_overview(served.store.get_domain("refund"))
    page = "http://127.0.0.1:8321/d/refund/schema"
    assert receiver.got == [
        {
            "domain": "refund",
            "stage": "schema",
            "version": 1,
            "digest": row.content,
            "since": clock.made.isoformat(timespec="seconds"),
            "hours": 25,
            "approved_by": [],
            "missing": 1,
            "url": page,
            "text": f"refund: the schema has waited for 25 h, and 1 approval is missing. {page}",
        }
    ]


def test_each_version_is_reminded_of_once_in_each_interval_over_restarts_too(
    reminding: Callable[[], Reminders], receiver: Receiver, clock: Clock
) -> None:
    counts = []
    for clock.hours in (23.9, 24, 24.1, 47.9, 48.1, 48.2, 72.1):
        reminding().remind()
        counts.append(len(receiver.got))

    assert counts == [0, 1, 1, 1, 2, 2, 3]


def test_what_is_decided_is_reminded_of_no_more_and_its_note_is_dropped(
    reminding: Callable[[], Reminders], receiver: Receiver, clock: Clock, served: Served
) -> None:
    clock.hours = 24
    reminding().remind()
    settle(served.store, "schema")
    clock.hours = 48
    reminding().remind()

    assert len(receiver.got) == 1
    kept = json.loads(served.settings.users_file.with_name(NAME).read_text())
    assert kept == {"format": 1, "stores": {}}


def test_a_reminder_is_no_decision_and_leaves_the_store_as_it_was(
    reminding: Callable[[], Reminders], clock: Clock, served: Served
) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path(served.store.place).rglob("*")}
    clock.hours = 24
    reminding().remind()

    after = {path: path.stat().st_mtime_ns for path in Path(served.store.place).rglob("*")}
    assert after == before
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


@pytest.mark.parametrize("status", [302, 404, 500])
def test_one_that_is_refused_is_logged_without_its_address_and_sent_at_the_next_look(
    reminding: Callable[[], Reminders],
    receiver: Receiver,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    status: int,
) -> None:
    caplog.set_level(logging.DEBUG)
    clock.hours, receiver.status = 24, status
    reminding().remind()
    receiver.status = 200
    reminding().remind()
    reminding().remind()

    assert len(receiver.got) == 2
    assert set(receiver.paths) == {f"/hooks/{SECRET}"}
    assert (
        f"the reminder about refund schema was not sent: 127.0.0.1 answered with {status}"
        in caplog.text
    )
    assert SECRET not in caplog.text


def test_a_receiver_that_is_away_harms_nothing(
    served: Served, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = f"http://127.0.0.1:9/{SECRET}"
    found = build_reminders(served.store, replace(served.settings, remind_url=url))
    assert found is not None
    clock.hours = 24
    replace(found, now=clock).remind()

    assert "127.0.0.1 does not answer: ConnectError" in caplog.text
    assert SECRET not in caplog.text


def test_where_a_receiver_is_away_the_others_wait_for_the_next_look(
    served: Served, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def away(reminder: object) -> None:
        asked.append(reminder)
        message = "away"
        raise NotDeliveredError(message, is_away=True)

    row = build_overview(served.store.get_domain("refund"))
    both = [row, replace(row, domain="other")]
    monkeypatch.setattr("review.reminding.reminders.list_overviews", lambda _: both)
    found = build_reminders(served.store, replace(served.settings, remind_command=("true",)))
    assert found is not None
    clock.hours = 24
    replace(found, now=clock, deliver=away).remind()

    assert len(asked) == 1


def test_a_domain_that_cannot_be_read_for_a_moment_is_not_reminded_of_too_soon(
    reminding: Callable[[], Reminders],
    receiver: Receiver,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock.hours = 24
    reminding().remind()
    with monkeypatch.context() as patch:
        broken = Overview("refund", Next.NOTHING, faults=("unreadable",))  # type: ignore[arg-type]
        patch.setattr("review.reminding.reminders.list_overviews", lambda _: [broken])
        reminding().remind()
    reminding().remind()

    assert len(receiver.got) == 1


def test_another_app_that_reminds_leaves_nothing_to_send(
    reminding: Callable[[], Reminders], receiver: Receiver, clock: Clock, served: Served
) -> None:
    clock.hours = 24
    with FileLock(f"{served.settings.users_file.with_name(NAME)}.lock"):
        reminding().remind()
    assert receiver.got == []


@pytest.mark.parametrize("text", ["", "nothing", "[]", '{"format": 1, "stores": {"x": 3}}'])
def test_a_file_of_notes_that_is_none_reminds_once_more(
    reminding: Callable[[], Reminders], receiver: Receiver, clock: Clock, served: Served, text: str
) -> None:
    served.settings.users_file.with_name(NAME).write_text(text)
    clock.hours = 24
    reminding().remind()
    reminding().remind()
    assert len(receiver.got) == 1


def test_of_an_answer_only_its_beginning_is_read() -> None:
    ends = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while not ends.wait(0.001):
                    self.wfile.write(b"x" * 100_000)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sending = threading.Thread(target=Webhook(f"http://127.0.0.1:{server.server_port}"), args=({},))
    sending.start()
    sending.join(timeout=120)
    is_over = not sending.is_alive()
    ends.set()
    server.shutdown()
    server.server_close()
    assert is_over


def test_a_command_gets_the_reminder_on_its_standard_input(tmp_path: Path) -> None:
    there = tmp_path / "reminder.json"
    source = f"import sys, pathlib; pathlib.Path({str(there)!r}).write_text(sys.stdin.read())"
    Command((sys.executable, "-c", source))({"domain": "refund"})

    assert json.loads(there.read_text()) == {"domain": "refund"}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (f"{shlex.quote(sys.executable)} -c 'raise SystemExit(3)'", "ended with exit code 3"),
        (f"/no/such/{SECRET}", "cannot be started: FileNotFoundError"),
    ],
)
def test_a_command_that_fails_is_reported_without_its_words(command: str, why: str) -> None:
    with pytest.raises(NotDeliveredError, match=why) as caught:
        Command(tuple(shlex.split(command)))({})

    assert SECRET not in str(caught.value)


def test_an_address_that_no_library_takes_is_a_reminder_that_fails() -> None:
    with pytest.raises(NotDeliveredError) as caught:
        Webhook(f"http://\x00/{SECRET}")({})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        {"remind_url": f"https://chat.example.org/{SECRET}"},
        {"remind_after": DAY, "remind_url": f"chat.example.org/{SECRET}"},
        {"remind_after": DAY, "remind_url": f"ftp://chat.example.org/{SECRET}"},
        {"remind_after": DAY, "remind_url": f"https://[chat/{SECRET}"},
        {"remind_after": DAY, "remind_url": f"https://x/{SECRET}", "remind_command": ("true",)},
    ],
    ids=["no hours", "no scheme", "no web", "no host", "two channels"],
)
def test_settings_that_would_remind_nobody_are_refused_without_repeating_the_address(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    settings = Settings(tmp_path / "users.json", **given)
    with pytest.raises(MaterialError, match="reminder-setting") as caught:
        refuse_reminders(settings)

    assert SECRET not in str(caught.value)
    assert SECRET not in repr(settings)


def test_the_inbox_marks_what_is_overdue(serve: Serve, waiting_store: Path) -> None:
    late = serve(waiting_store, remind_after=timedelta(microseconds=1)).browser("vera")
    early = serve(waiting_store, remind_after=DAY * 365 * 100).browser("vera")
    unset = serve(waiting_store).browser("vera")

    assert [">overdue<" in person.page("/").text for person in (late, early, unset)] == [
        True,
        False,
        False,
    ]


def test_the_app_reminds_when_it_looks(
    serve: Serve, waiting_store: Path, receiver: Receiver, tmp_path: Path
) -> None:
    served = serve(
        waiting_store,
        has_users=False,
        remind_after=timedelta(microseconds=1),
        remind_url=receiver.url,
    )
    with served.browser().client as client:
        deadline = datetime.now(UTC) + timedelta(seconds=30)
        while not receiver.got and datetime.now(UTC) < deadline:
            threading.Event().wait(0.02)
        assert SECRET not in client.get("/").text

    assert [item["domain"] for item in receiver.got] == ["refund"]
    assert (tmp_path / "none" / NAME).stat().st_mode & 0o777 == 0o600
