"""What would keep everybody waiting, or outlive its end, is refused: by anybody who may try it."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from fastapi import Request, Response

from review.access.ended_sessions import EndedSessions
from review.access.login_attempts import LoginAttempts
from review.access.turns import BusyError, Turns
from review.rendering import render
from sopforge.pipeline.briefs.brief_files import list_kept_versions
from tests.servers.review_browser import ORIGIN, Browser, Form, Served
from tests.unit.review.app.conftest import Serve

STAGE = "/d/refund/schema"
DECIDE = f"{STAGE}/decide"
ESCAPED = "application/x-www-form-urlencoded"


def several_parts(fields: dict[str, bytes]) -> bytes:
    """Return the body of a form whose parts lie between lines of two dashes and an x."""
    head = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    return b"".join(head % (name.encode(), data) for name, data in fields.items()) + b"--x--\r\n"


@pytest.mark.parametrize(
    "charset", ["unicode_escape", "utf-7", "undefined", "punycode", "idna", "UTF-16", ""]
)
@pytest.mark.parametrize("path", ["/login", DECIDE, "/d/refund/regenerate"])
def test_a_form_in_another_encoding_is_not_read(ada: Browser, path: str, charset: str) -> None:
    form = ada.page(STAGE).form(DECIDE, verdict="reject")
    fields = {**form.fields, "comment": r"\ud800", "context": r"\ud800", "name": r"\ud800"}
    body = several_parts({name: text.encode() for name, text in fields.items()})
    kind = f"multipart/form-data; boundary=x; charset={charset}"

    answer = ada.client.post(path, content=body, headers={"content-type": kind})

    assert answer.status_code == 403
    assert "content-security-policy" in answer.headers


def test_a_form_that_names_the_usual_encoding_is_read(ada: Browser) -> None:
    form = ada.page(STAGE).form(DECIDE, verdict="reject")
    body = several_parts({n: t.encode() for n, t in {**form.fields, "comment": "ä"}.items()})
    kind = "multipart/form-data; boundary=x; charset=UTF-8"

    answer = ada.client.post(
        DECIDE, content=body, headers={"content-type": kind}, follow_redirects=False
    )

    assert answer.status_code == 303
    assert "ä" in ada.page("/d/refund/history").text


@pytest.mark.parametrize("has_length", [True, False], ids=["with its length", "in pieces"])
@pytest.mark.parametrize("path", ["/login", DECIDE])
def test_a_long_text_of_escapes_is_not_read(served: Served, path: str, *, has_length: bool) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"a=" + b"%" * 1_100_000

    content = b"".join(pieces()) if has_length else pieces()
    browser = served.browser()

    answer = browser.client.post(path, content=content, headers={"content-type": ESCAPED})

    assert answer.status_code == 413
    assert "your browser still has what you wrote" in answer.text


def test_texts_that_may_be_long_are_sent_without_escapes(ada: Browser) -> None:
    for page in (STAGE, f"{STAGE}/edit", "/d/refund/regenerate"):
        forms = [part.split("</form>")[0] for part in ada.page(page).text.split("<form ")[1:]]
        writing = [form.split(">")[0] for form in forms if "<textarea" in form]
        assert writing
        assert all('enctype="multipart/form-data"' in form for form in writing)


def test_a_session_that_was_ended_stays_so_when_the_app_starts_again(
    serve: Serve, waiting_store: Path
) -> None:
    ada = serve(waiting_store).browser("ada")
    copy = dict(ada.client.cookies)
    ada.send(ada.page("/").form("/logout"))

    thief = serve(waiting_store).browser()
    thief.client.cookies.update(copy)

    assert thief.get("/").status_code == 303


def test_processes_share_which_sessions_ended(tmp_path: Path) -> None:
    here, there = (EndedSessions(tmp_path / "users.json", 60) for _ in range(2))
    here.add("one")
    assert ("one" in there, "two" in there) == (True, False)
    there.add("two")
    assert ("one" in here, "two" in here) == (True, True)


def test_no_session_is_kept_ended_for_longer_than_it_would_have_lasted(tmp_path: Path) -> None:
    file = tmp_path / "review-ended-sessions.txt"
    file.write_text("1000000000 long-ago\nnonsense\n12\n", encoding="utf-8")

    EndedSessions(tmp_path / "users.json", 60).add("now")

    kept = file.read_text(encoding="utf-8").splitlines()
    assert [line.split(" ")[1] for line in kept] == ["now"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_session_is_ended_where_nothing_can_be_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ended = EndedSessions(tmp_path / "file" / "users.json", 60)

    ended.add("one")

    assert "one" in ended
    assert "the end of a session was not kept" in caplog.text


def test_a_session_lasts_from_its_login(served: Served) -> None:
    browser = served.browser()
    cookies = SimpleCookie(browser.log_in("ada").headers["set-cookie"])

    assert cookies["sopforge_8321"]["max-age"] == str(12 * 3600)
    # Signed anew, it would count from then.
    for page in ("/", STAGE, "/d/refund/regenerate"):
        assert "set-cookie" not in browser.get(page).headers


def test_a_proxy_that_lets_a_second_name_through_is_not_believed(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store, identity_header="X-User", proxies=("10.0.0.0/8",))
    browser = served.browser(address="10.1.2.3")

    answer = browser.client.get("/", headers=[("x-user", "grace"), ("x-user", "vera")])

    assert answer.status_code == 403
    assert "the proxy named 2 users for one request" in answer.text


def test_a_network_of_addresses_is_one_place_to_log_in_from() -> None:
    attempts = LoginAttempts()
    tries = [attempts.is_allowed(f"name{n}", f"2001:db8:1:2::{n:x}") for n in range(21)]

    assert tries == [True] * 20 + [False]
    assert attempts.is_allowed("name", "2001:db8:1:3::1")
    assert attempts.is_allowed("name", "192.0.2.1")
    assert attempts.is_allowed("name", "fe80::1%eth0")


def test_attempts_at_once_are_counted_as_well() -> None:
    attempts, let_in, start = LoginAttempts(), list[bool](), threading.Barrier(24)

    def attempt() -> None:
        start.wait()
        let_in.append(attempts.is_allowed("ada", "192.0.2.1"))

    threads = [threading.Thread(target=attempt) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (sum(let_in), len(let_in)) == (5, 24)


def test_an_edit_is_not_checked_while_many_wait(served: Served, ada: Browser) -> None:
    object.__setattr__(served.app.state.desk, "turns", Turns(at_once=0, waiting=0))

    answer = ada.send(
        ada.page(f"{STAGE}/edit").form(f"{STAGE}/edit"), text="<mine>", action="check"
    )

    assert answer.status_code == 429
    assert "&lt;mine&gt;" in answer.text


@pytest.mark.parametrize("action", ["show", "keep"])
def test_a_brief_is_not_read_anew_while_many_wait(
    served: Served, ada: Browser, action: str
) -> None:
    address = "/d/refund/regenerate"
    form = ada.page(address).form(address)
    desk = served.app.state.desk
    object.__setattr__(desk, "turns", Turns(at_once=0, waiting=0))

    answer = ada.send(form, context="<mine>", action=action)

    assert answer.status_code == 429
    assert "&lt;mine&gt;" in answer.text
    # Nothing of it was done, and who only reads waits for nobody.
    assert list_kept_versions(served.store.get_domain("refund")) == ["0001"]
    assert ada.get(address).status_code == 200


def test_nobody_holds_a_turn_while_a_brief_is_kept(served: Served, ada: Browser) -> None:
    """A domain that a run has locked for long would keep all others from their turns."""
    desk = served.app.state.desk
    object.__setattr__(desk, "turns", Turns(at_once=1, waiting=0))
    runs_begun = list[str]()

    def go_on(domain: str) -> None:
        with desk.turns.take_turn():
            runs_begun.append(domain)

    object.__setattr__(desk, "go_on", go_on)
    address = "/d/refund/regenerate"

    answer = ada.send(ada.page(address).form(address), context="Be kind.", action="keep")

    assert (answer.status_code, runs_begun) == (303, ["refund"])


def test_whoever_comes_when_many_wait_is_sent_away() -> None:
    turns, is_over, has_begun = Turns(at_once=1, waiting=1), threading.Event(), threading.Event()

    def work() -> str:
        try:
            with turns.take_turn():
                has_begun.set()
                is_over.wait(120)
        except BusyError:
            # Only once there are three of them is one sent away.
            is_over.set()
            return "sent away"
        return "done"

    with ThreadPoolExecutor(3) as workers:
        first = workers.submit(work)
        has_begun.wait(120)
        others = [workers.submit(work) for _ in range(2)]

    assert first.result() == "done"
    assert sorted(other.result() for other in others) == ["done", "sent away"]
    assert work() == "done"


def test_slow_work_that_many_wait_for_is_reported(serve: Serve, passed_store: Path) -> None:
    served = serve(passed_store)
    # As if somebody else had the only turn.
    object.__setattr__(served.app.state.desk, "turns", Turns(at_once=0, waiting=0))
    grace = served.browser("grace")
    token = grace.page("/").form("/logout").fields["csrf"]

    answer = grace.send(Form("/d/refund/tools/try", "post", {"csrf": token, "tool": "payRefund"}))

    assert answer.status_code == 429
    assert "try again in a moment" in answer.text


def test_half_of_a_pair_of_characters_is_shown_as_its_escape(served: Served) -> None:
    def odd(request: Request) -> Response:
        half = json.loads(r'"\ud800"')
        said = {"text": half}
        return render(request, "desk/trouble.html.j2", title=half, faults=(), now=None, typed=said)

    served.app.add_api_route("/odd", odd)

    answer = served.browser("ada").get("/odd")

    assert (answer.status_code, r"\ud800" in answer.text) == (200, True)


def test_a_browser_that_leaves_is_no_fault(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    host = ORIGIN.removeprefix("http://")
    headers = {"host": host, "content-type": ESCAPED, "content-length": "100"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/login",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        pass

    asyncio.run(served.app(scope, receive, send))

    assert caplog.records == []
