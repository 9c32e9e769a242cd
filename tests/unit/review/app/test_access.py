"""Who may open the pages, as whom, and what a stranger gets."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from review.access.users import Role, UserFile
from tests.servers.review_browser import SECRETS, Served
from tests.unit.review.app.conftest import Serve

STAGE = "/d/refund/schema"


def test_a_login_leads_where_one_wanted_to_go(served: Served) -> None:
    browser = served.browser()
    asked = browser.get(f"{STAGE}?version=1").headers["location"]
    form = browser.page(asked).form("/login")

    answer = browser.send(form, name="ada", secret=SECRETS["ada"])

    assert (answer.status_code, answer.headers["location"]) == (303, f"{STAGE}?version=1")
    assert "ada, reviewer" in browser.page("/").text


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "/a\r\nSet-Cookie: x=y"],
)
def test_a_login_leads_to_no_other_site(served: Served, elsewhere: str) -> None:
    browser = served.browser()
    form = browser.page("/login").form("/login")

    answer = browser.send(form, name="ada", secret=SECRETS["ada"], next=elsewhere)

    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    ("name", "secret"),
    [("ada", "wrong, all of it"), ("nobody", "wrong, all of it"), ("ada", ""), ("", "")],
)
def test_a_wrong_secret_and_an_unknown_name_are_refused_alike(
    served: Served, name: str, secret: str
) -> None:
    answer = served.browser().send(
        served.browser().page("/login").form("/login"), name=name, secret=secret
    )
    assert answer.status_code == 403  # the form is another browser's

    browser = served.browser()
    answer = browser.send(browser.page("/login").form("/login"), name=name, secret=secret)

    assert answer.status_code == 401
    assert "The name or the secret is wrong." in answer.text
    assert browser.get("/").status_code == 303


def test_logging_in_is_slowed_down_for_a_name_and_for_an_address(served: Served) -> None:
    browser = served.browser(address="203.0.113.7")
    form = browser.page("/login").form("/login")
    answers = [browser.send(form, name="ada", secret=f"guess {n}") for n in range(6)]

    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert answers[-1].headers["retry-after"] == "60"
    # The right secret is refused as well, so that it is not revealed.
    assert browser.send(form, name="ada", secret=SECRETS["ada"]).status_code == 429
    others = [
        browser.send(form, name=f"user{n}", secret=SECRETS["ada"]).status_code for n in range(20)
    ]
    assert others[-1] == 429


def test_a_login_leaves_nothing_of_the_session_before_it(served: Served) -> None:
    browser = served.browser()
    form = browser.page("/login").form("/login")
    before = dict(browser.client.cookies)
    browser.send(form, name="ada", secret=SECRETS["ada"])
    after = dict(browser.client.cookies)

    assert before.keys() == after.keys()
    assert before != after
    token = browser.page("/").form("/logout").fields["csrf"]
    assert token != form.fields["csrf"]
    planted = served.browser()
    planted.client.cookies.update(before)
    assert planted.get("/").status_code == 303


def test_a_copy_of_a_cookie_is_of_no_use_after_the_logout(served: Served) -> None:
    ada, thief = served.browser("ada"), served.browser()
    thief.client.cookies.update(dict(ada.client.cookies))
    assert thief.get("/").status_code == 200

    assert ada.send(ada.page("/").form("/logout")).status_code == 303

    assert ada.get("/").status_code == 303
    assert thief.get("/").status_code == 303


def test_a_changed_cookie_is_nobodys(served: Served) -> None:
    ada = served.browser("ada")
    name, value = next(iter(ada.client.cookies.items()))
    body, _, signature = value.partition(".")
    forged = served.browser()
    forged.client.cookies.set(name, f"{body[:-2]}AA.{signature}")

    assert forged.get("/").status_code == 303


def test_cookies_are_kept_from_scripts_and_other_sites(served: Served) -> None:
    cookie = served.browser().get("/login").headers["set-cookie"].lower()

    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_over_https_cookies_are_kept_to_it(serve: Serve, waiting_store: Path) -> None:
    served = serve(waiting_store, public_url="https://review.example.org")
    answer = served.browser(host="https://review.example.org").get("/login")

    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("__host-sopforge=")
    assert "; secure" in cookie
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_a_user_who_is_removed_is_out_at_once(
    serve: Serve, waiting_store: Path, tmp_path: Path
) -> None:
    file = UserFile(tmp_path / "users.json")
    file.add("eve", Role.REVIEWER, "a secret of eve's")
    served = serve(waiting_store)
    object.__setattr__(served.app.state.guard, "users", UserFile(file.path))
    eve = served.browser()
    eve.log_in("eve", "a secret of eve's")
    assert eve.get("/").status_code == 200

    file.remove("eve")
    file.add("eve", Role.PUBLISHER, "another one of eve's")

    assert eve.get("/").status_code == 303


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "review.example.org"])
def test_only_known_hosts_are_answered(served: Served, host: str) -> None:
    answer = served.browser().get("/login", host=host)

    assert answer.status_code == 400
    assert "content-security-policy" in answer.headers


def test_the_one_user_of_a_machine_decides_where_nobody_is_named(
    serve: Serve, waiting_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "lin")
    served = serve(waiting_store, has_users=False)
    browser = served.browser()

    page = browser.page(STAGE)
    assert "lin, publisher" in page.text
    assert "no other user is registered" in page.text
    assert browser.send(page.form(f"{STAGE}/decide", verdict="approve")).status_code == 303


def test_nobody_else_is_taken_for_the_user_of_the_machine(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store, has_users=False)

    assert served.browser(address="203.0.113.7").get("/").status_code == 303
    assert served.browser().get("/", **{"x-forwarded-for": "203.0.113.7"}).status_code == 303
    open_to_all = serve(waiting_store, has_users=False, public_url="http://review.example.org")
    assert open_to_all.browser().get("/").status_code == 303


def test_a_proxy_is_believed_who_asks(serve: Serve, waiting_store: Path) -> None:
    served = serve(waiting_store, identity_header="X-Forwarded-User", proxies=("10.0.0.0/8",))

    proxied = served.browser(address="10.1.2.3")
    assert "vera, viewer" in proxied.get("/", **{"x-forwarded-user": "vera"}).text
    unknown = proxied.get("/", **{"x-forwarded-user": "mallory"})
    assert unknown.status_code == 403
    assert "mallory is logged in, but is not a user of this review app" in unknown.text
    assert proxied.get("/").status_code == 303


def test_nobody_but_the_proxy_is_believed(serve: Serve, waiting_store: Path) -> None:
    named = {"x-forwarded-user": "grace"}
    served = serve(waiting_store, identity_header="X-Forwarded-User", proxies=("10.0.0.0/8",))
    assert served.browser(address="203.0.113.7").get("/", **named).status_code == 303
    assert served.browser(address="127.0.0.1").get("/", **named).status_code == 303

    unset = serve(waiting_store)
    assert unset.browser().get("/", **named).status_code == 303


def test_a_viewer_sees_all_and_no_form_to_decide(served: Served) -> None:
    vera = served.browser("vera")
    page = vera.page(STAGE)

    assert page.posting == ["/logout"]
    assert "vera has the role" in vera.get(f"{STAGE}/edit").text
    assert vera.get(f"{STAGE}/edit").status_code == 403
    assert vera.get("/d/refund/regenerate").status_code == 403
    assert vera.get("/d/refund/history").status_code == 200


def test_what_was_typed_is_given_back_when_the_session_has_ended(served: Served) -> None:
    ada = served.browser("ada")
    form = ada.page(STAGE).form(f"{STAGE}/decide", verdict="reject")
    ada.client.cookies.clear()

    answer = ada.send(form, comment="Say <what> 'late' means.")

    assert answer.status_code == 401
    assert "Say &lt;what&gt; &#39;late&#39; means." in answer.text


def test_a_page_that_looks_again_without_a_session_shows_no_login_in_its_place(
    served: Served,
) -> None:
    answer = served.browser().get("/", **{"hx-request": "true"})

    assert (answer.status_code, answer.text) == (401, "log in again\n")


def test_users_that_are_gone_leave_no_open_door(served: Served, tmp_path: Path) -> None:
    users = Path(shutil.copy(served.settings.users_file, tmp_path / "users.json"))
    other = replace(served, settings=replace(served.settings, users_file=users))
    assert other.browser("ada").get("/").status_code == 200
    users.unlink()

    answer = other.browser().get("/")

    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=%2F")
