from __future__ import annotations

import pytest

from sopforge.authors.providers.adapters.failures import (
    SECRET_VARIABLES,
    Reply,
    find_safe_cause,
    make_reply_error,
    without_secrets,
)
from sopforge.authors.providers.completion import PassingError
from sopforge.errors import ProviderError
from tests.worlds.providers import SECRET


@pytest.mark.parametrize("name", SECRET_VARIABLES)
def test_the_value_of_each_key_is_hidden(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, f"{SECRET}-{name}")
    shown = without_secrets(f"bad key {SECRET}-{name}.")
    assert shown.startswith("bad key [secret]")
    assert SECRET not in shown


def test_a_value_too_short_for_a_key_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert without_secrets("max_tokens") == "max_tokens"


def test_a_long_message_is_cut() -> None:
    assert without_secrets("a" * 600) == "a" * 500 + "..."


def test_a_cause_that_holds_a_secret_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    secret, plain = ValueError(f"no key {SECRET}"), ValueError("no key")
    assert find_safe_cause(secret) is None
    assert find_safe_cause(plain) is plain


def test_an_error_names_endpoint_status_message_and_request() -> None:
    error = make_reply_error(
        Reply(403, "not yours", request_id="req_7"), endpoint="here", model="m"
    )
    assert isinstance(error, ProviderError)
    assert str(error) == (
        "model-access-denied: here says 403: not yours (request req_7)\n"
        "  hint: ask for access to 'm' with this key, and on Bedrock for this account and region;"
        " or name another model"
    )


@pytest.mark.parametrize("status", [408, 409, 424, 425, 429, 500, 502, 503, 504, 529])
def test_these_statuses_pass(status: int) -> None:
    assert isinstance(make_reply_error(Reply(status, "x"), endpoint="e", model="m"), PassingError)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_these_statuses_do_not(status: int) -> None:
    assert isinstance(make_reply_error(Reply(status, "x"), endpoint="e", model="m"), ProviderError)
