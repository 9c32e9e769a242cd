"""Simulated reviewers: they look, decide, edit, add context and publish, whatever is killed."""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import httpx

from tests.servers.review_browser import Form, Page
from tests.soak.commands import DOMAINS, with_limit

SECRETS = {
    "ada": "ada decides on things",
    "bob": "bob decides on things",
    "grace": "grace publishes",
}
NO_ANSWER = 0
_TIMEOUT_SECONDS = 40.0
_PAUSE_SECONDS = 0.05
_IDLE_SECONDS = 0.3
_WEIGHTS = {"approve": 8.0, "edit": 1.5, "context": 0.7, "reject": 0.2}
# Few texts, so that most of what is asked for was made in an earlier round.
_CONTEXTS = ("Pets travel free of charge.", "Gifts are not refunded.")
_PATCHES = tuple(f"policy: {{refund_days: {{value: {days}}}}}\n" for days in (20, 25, 30))
_EDITED_DAYS = ("27", "28")
_NOTICE = re.compile(r'class="notice[^"]*"[^>]*>(.*?)</', re.DOTALL)
WORDS = "Say what a wrong item is."


@dataclass(frozen=True)
class Sent:
    """What somebody sent, and what came back; a ``status`` of 0 is no answer at all.

    ``fields`` are those of the form, and ``done`` is what the app says that it did.
    """

    by: str
    address: str
    fields: Mapping[str, str]
    status: int
    done: str
    answer: str

    @property
    def domain(self) -> str:
        """The domain that it is about."""
        return self.address.split("/")[2]

    @property
    def stage(self) -> str:
        """The stage, or what stands in its place."""
        return self.address.split("/")[3]

    @property
    def is_unsure(self) -> bool:
        """Whether the sender cannot know what became of it."""
        return self.status == NO_ANSWER or self.status >= httpx.codes.INTERNAL_SERVER_ERROR


class AwayError(Exception):
    """The app does not answer."""


@dataclass
class Reviewer:
    """One person with a browser, until it is over."""

    name: str
    origin: str
    chance: random.Random
    is_over: threading.Event
    sent: list[Sent] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    odd: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._client = httpx.Client(base_url=self.origin, timeout=_TIMEOUT_SECONDS)
        self._client.headers.update({"sec-fetch-site": "same-origin"})

    def work(self) -> None:
        """Do one thing after the other."""
        while not self.is_over.is_set():
            try:
                self._do_something()
            except AwayError:
                self.is_over.wait(_PAUSE_SECONDS)

    def go_on(self, domain: str) -> bool:
        """Press the button that starts a run by hand; return whether it is there."""
        address = f"/d/{domain}/continue"
        forms = [form for form in self._page(f"/d/{domain}").forms if form.action == address]
        return bool(forms) and self._send(forms[0]).status == httpx.codes.SEE_OTHER

    def sees_runs(self) -> bool:
        """Return whether the inbox shows a run at work; raises ``AwayError``."""
        return "a run is in progress" in self._page("/").text

    def notices(self, domain: str) -> list[str]:
        """Return what a domain's page says of how it stands; raises ``AwayError``."""
        return _NOTICE.findall(self._page(f"/d/{domain}").text)

    def close(self) -> None:
        """Close the browser."""
        self._client.close()

    def _do_something(self) -> None:
        domain, chance = self.chance.choice(DOMAINS), self.chance
        if chance.random() < 0.2:
            self._look(domain)
            return
        waiting = re.search(rf'href="(/d/{domain}/\w+)"', self._page("/").text)
        if waiting:
            self._judge(waiting[1])
        elif self.name == "grace" and chance.random() < 0.5:
            self._send_first(f"/d/{domain}/releases", f"/d/{domain}/releases")
        elif chance.random() < 0.03:
            self._add_context(domain)
        elif chance.random() < 0.1:
            self.go_on(domain)
        else:
            self.is_over.wait(_IDLE_SECONDS)

    def _look(self, domain: str) -> None:
        pages = (f"/d/{domain}", f"/d/{domain}/history", f"/d/{domain}/changes", "/?phase=me")
        self._page(self.chance.choice(pages))

    def _judge(self, address: str) -> None:
        [verb] = self.chance.choices(list(_WEIGHTS), list(_WEIGHTS.values()))
        if verb == "context":
            self._add_context(address.split("/")[2])
        elif verb == "edit" and address.endswith("/schema"):
            self._edit(address)
        else:
            verdict = "approve" if verb == "edit" else verb
            said = {"comment": WORDS} if verdict == "reject" else {}
            self._send_first(address, f"{address}/decide", {"verdict": verdict}, said)

    def _edit(self, address: str) -> None:
        edited = f"{address}/edit"
        for form in self._forms(self._page(edited), edited):
            days = self.chance.choice(_EDITED_DAYS)
            text = with_limit(form.fields["text"], days)
            answer = self._send(form, text=text, action="check").answer
            for checked in self._forms(Page(answer), edited):
                self._send(checked, action="keep")

    def _add_context(self, domain: str) -> None:
        address = f"/d/{domain}/regenerate"
        given = (
            {"context": self.chance.choice(_CONTEXTS)}
            if self.chance.random() < 0.4
            else {"patch": self.chance.choice(_PATCHES)}
        )
        for form in self._forms(self._page(address), address):
            self._send(form, **given, action="keep")

    def _send_first(
        self,
        page: str,
        action: str,
        fixed: Mapping[str, str] | None = None,
        said: Mapping[str, str] | None = None,
    ) -> None:
        for form in self._forms(self._page(page), action, fixed or {})[:1]:
            self._send(form, **(said or {}))

    @staticmethod
    def _forms(page: Page, action: str, fixed: Mapping[str, str] | None = None) -> list[Form]:
        held = (fixed or {}).items()
        return [
            form for form in page.forms if form.action == action and held <= form.fields.items()
        ]

    def _page(self, address: str) -> Page:
        """Open a page, as somebody who is logged in; what cannot be shown has no forms."""
        answer = self._asked("GET", address)
        if answer.headers.get("location", "").startswith("/login"):
            self._log_in()
            answer = self._asked("GET", address)
        if "fault of SOPForge" in answer.text:
            self.odd.append(f"GET {address} was a fault of SOPForge")
        return Page(answer.text if answer.status_code == httpx.codes.OK else "")

    def _send(self, form: Form, **changes: str) -> Sent:
        fields = {**form.fields, **changes}
        try:
            answer = self._asked("POST", form.action, fields)
        except AwayError:
            self.sent.append(Sent(self.name, form.action, fields, NO_ANSWER, "", ""))
            raise
        location = answer.headers.get("location", "")
        done = location.partition("?done=")[2]
        made = Sent(self.name, form.action, fields, answer.status_code, done, answer.text)
        self.sent.append(made)
        if "fault of SOPForge" in answer.text:
            self.odd.append(f"POST {form.action} was a fault of SOPForge")
        return made

    def _log_in(self) -> None:
        for form in self._forms(Page(self._asked("GET", "/login").text), "/login"):
            fields = {**form.fields, "name": self.name, "secret": SECRETS[self.name]}
            self._asked("POST", "/login", fields)

    def _asked(
        self, method: str, address: str, fields: Mapping[str, str] | None = None
    ) -> httpx.Response:
        try:
            answer = self._client.request(method, address, data=fields)
        except httpx.TransportError as cause:
            self.answers[f"{method} none"] += 1
            raise AwayError from cause
        self.answers[f"{method} {answer.status_code}"] += 1
        return answer


def at_work(reviewers: list[Reviewer], seconds: float) -> Iterator[float]:
    """Have reviewers work at once for so long; yield how much is left, again and again."""
    threads = [threading.Thread(target=one.work, daemon=True) for one in reviewers]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        yield left
    for one in reviewers:
        one.is_over.set()
    for thread in threads:
        thread.join()
