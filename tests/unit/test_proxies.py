"""Variables of proxies: what is faulty is refused by name, and this machine is reached directly."""

from __future__ import annotations

import os
from collections.abc import Callable
from decimal import Decimal

import pytest

from sopforge.authors.providers.selection import build_provider
from sopforge.authors.providers.settings import Settings
from sopforge.errors import MaterialError
from sopforge.evaluation.models.making import open_model
from sopforge.proxies import refuse_faulty_proxies, skip_proxies_for_loopback
from sopforge.store.opening import open_objects
from tests.worlds.providers import set_keys

VARIABLES = [
    written
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
    for written in (name, name.lower())
]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    set_keys(monkeypatch)


def refuse(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[str]:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(MaterialError) as caught:
        refuse_faulty_proxies()
    return [f"{fault.where}: {fault.message}" for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ALL_PROXY", "socks://10.1.1.1:9", "the proxy 'socks://10.1.1.1:9' has an unknown scheme"),
        ("all_proxy", "ftp://p:9", "the proxy 'ftp://p:9' has an unknown scheme, 'ftp'"),
        ("HTTPS_PROXY", ":", "the proxy ':' names no host and port"),
        ("HTTPS_PROXY", "http://", "the proxy 'http://' names no host and port"),
        ("https_proxy", "http://p:80x", "the proxy 'http://p:80x' names no host and port"),
        ("HTTP_PROXY", "p:99999", "the proxy 'p:99999' names no host and port"),
        ("HTTP_PROXY", "http://[::1", "the proxy 'http://[::1' names no host and port"),
        ("NO_PROXY", "localhost,[::1]", "'[::1]' is no host that can be excepted"),
        ("no_proxy", "fe80::/10, a.example", "'fe80::/10' is no host that can be excepted"),
        ("NO_PROXY", "host:", "'host:' is no host that can be excepted"),
    ],
)
def test_a_faulty_variable_is_named_with_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    (said,) = refuse(monkeypatch, **{name: value})
    assert said.startswith(f"{name}: {says}")


def test_socks_needs_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sopforge.proxies.find_spec", lambda _: None)
    (said,) = refuse(monkeypatch, ALL_PROXY="socks5h://proxy:1080")
    assert "needs the library 'socksio', which is not installed" in said


@pytest.mark.parametrize("value", ["socks://ann:s3cret@p:9", "ann:s3cret@p:none"])
def test_no_message_shows_a_password(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    (said,) = refuse(monkeypatch, HTTPS_PROXY=value)
    assert "s3cret" not in said
    assert "p:" in said


def test_all_faults_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(refuse(monkeypatch, HTTP_PROXY=":", ALL_PROXY="socks://p:9", NO_PROXY="[::1]")) == 3


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"HTTPS_PROXY": "http://ann:pw@proxy.example:3128", "NO_PROXY": "*"},
        {"http_proxy": "proxy:3128", "no_proxy": "localhost, .example.com,10.0.0.0/8,::1,h:8080,"},
        {"ALL_PROXY": "", "NO_PROXY": ""},
        # In small letters it is unset, whatever the other says.
        {"https_proxy": "", "HTTPS_PROXY": "socks://p:9"},
    ],
    ids=["none", "all excepted", "many", "empty", "unset"],
)
def test_what_libraries_can_read_is_let_through(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    refuse_faulty_proxies()
    build_provider("anthropic", "claude-test-1", Settings(budget=Decimal(1)))


@pytest.mark.parametrize(
    "open_client",
    [
        lambda: build_provider("anthropic", "claude-test-1", Settings()),
        lambda: build_provider("openai", "some-model", Settings()),
        lambda: build_provider("bedrock", "some-model", Settings(region="eu-central-1")),
        lambda: open_model("anthropic/claude-test-1"),
        lambda: open_objects("s3://bucket/stores"),
    ],
    ids=["anthropic", "openai", "bedrock", "evaluate", "bucket"],
)
def test_whoever_opens_a_client_refuses_them_first(
    monkeypatch: pytest.MonkeyPatch, open_client: Callable[[], object]
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:9")
    with pytest.raises(MaterialError) as caught:
        open_client()
    assert [fault.code for fault in caught.value.faults] == ["proxy-unusable"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, "127.0.0.1,localhost,::1"),
        ({"NO_PROXY": "a.example, localhost"}, "a.example,localhost,127.0.0.1,::1"),
        ({"no_proxy": "b.example", "NO_PROXY": "c"}, "b.example,127.0.0.1,localhost,::1"),
    ],
)
def test_this_machine_is_excepted(before: dict[str, str], after: str) -> None:
    environment = dict(before)
    skip_proxies_for_loopback(environment)
    assert environment == {"NO_PROXY": after, "no_proxy": after}


def test_a_faulty_exception_is_named_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "[::1]")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.delenv("no_proxy")
    skip_proxies_for_loopback(os.environ)
    with pytest.raises(MaterialError, match=r"^NO_PROXY: "):
        refuse_faulty_proxies()


def test_where_all_is_excepted_nothing_is_added() -> None:
    environment = {"no_proxy": "*"}
    skip_proxies_for_loopback(environment)
    assert environment == {"no_proxy": "*"}
