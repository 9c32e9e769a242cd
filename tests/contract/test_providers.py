"""Every adapter keeps the same promises, whatever its vendor's library does: over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sopforge.authors.providers.adapters import body_limits, converse
from sopforge.authors.providers.completion import PassingError, Provider, StopReason, Usage
from sopforge.authors.providers.selection import find_api_family
from sopforge.authors.providers.settings import Settings
from sopforge.errors import ProviderError
from tests.servers.model_server import (
    Act,
    Break,
    Drip,
    Fail,
    Flood,
    Html,
    ModelServer,
    Reset,
    Say,
    Silence,
    model_server,
)
from tests.worlds.providers import (
    ADAPTERS,
    INSTALLED,
    SCHEMA,
    SECRET,
    SHORT,
    adapter_at,
    request_for,
    set_keys,
)

CITY = '{"city": "Graz", "people": 300000}'
CONVERSES_ON_CONTEXT = [name for name in INSTALLED if name != "openai"]


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with pytest.MonkeyPatch.context() as patch, model_server() as server:
        set_keys(patch)
        yield server


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.script.clear()
    running.seen.clear()
    return running


@pytest.fixture(scope="module", params=INSTALLED)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def provider(name: str, running: ModelServer) -> Provider:
    """Return the adapter; building one takes longer than asking it."""
    return adapter_at(name, running.url)


def passing(provider: Provider, name: str) -> PassingError:
    with pytest.raises(PassingError) as caught:
        provider.complete(request_for(name))
    return caught.value


def final(provider: Provider, name: str, **changes: Any) -> ProviderError:  # noqa: ANN401 - fields of a request
    with pytest.raises(ProviderError) as caught:
        provider.complete(request_for(name, **changes))
    return caught.value


def test_an_answer_has_its_text_its_tokens_and_its_model(
    name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Say("The city is Graz.", usage=(100, 12, 30, 0)))
    completion = provider.complete(request_for(name))
    assert (completion.text, completion.stop) == ("The city is Graz.", StopReason.END)
    assert completion.usage == Usage(input=100, output=12, cache_read=30)
    assert completion.model in {"claude-test-1", "qwen.qwen-test-1:0"}
    assert completion.route == "text"


def test_the_question_holds_everything_that_was_asked(
    name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Say("Graz"))
    provider.complete(request_for(name, effort="low"))
    sent = json.dumps(server.seen[0].body)
    for part in ("You name cities.", "A long document.", "Which city?", "1000", '"low"'):
        assert part in sent


def test_what_repeats_is_marked_for_the_cache(
    name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Say("Graz"))
    provider.complete(request_for(name))
    sent = json.dumps(server.seen[0].body)
    marks = sent.count("cache_control") + sent.count("cachePoint")
    # Endpoints that speak chat completions cache by themselves and take no marks.
    assert marks == (0 if name == "openai" else 2)


def test_a_schema_is_put_natively(name: str, provider: Provider, server: ModelServer) -> None:
    server.play(Say(CITY))
    completion = provider.complete(request_for(name, schema=SCHEMA))
    assert json.loads(completion.text) == {"city": "Graz", "people": 300000}
    assert completion.route == "native"
    assert "people" in json.dumps(server.seen[0].body)
    assert not {"tools", "toolConfig"} & set(server.seen[0].body)


def test_a_model_that_refuses_schemas_is_given_a_tool_from_then_on(
    name: str, server: ModelServer
) -> None:
    provider = adapter_at(name, server.url)
    refusal = Fail(400, "output_config.format, outputConfig, response_format: not for this model")
    server.play(refusal, Say(CITY), Say(CITY))
    for _ in range(2):
        completion = provider.complete(request_for(name, schema=SCHEMA))
        assert json.loads(completion.text) == {"city": "Graz", "people": 300000}
        assert completion.route == "tool"
    assert len(server.seen) == 3
    assert all({"tools", "toolConfig"} & set(seen.body) for seen in server.seen[1:])


@pytest.mark.parametrize(
    ("said", "stop"),
    [("length", StopReason.TRUNCATED), ("refusal", StopReason.REFUSED)],
    ids=["truncated", "refused"],
)
def test_an_answer_that_is_not_whole_says_so(
    said: str, stop: StopReason, name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Say("Half an ans", stop=said))
    completion = provider.complete(request_for(name))
    assert (completion.stop, completion.text) == (stop, "Half an ans")


def test_a_full_context_is_reported(name: str, provider: Provider, server: ModelServer) -> None:
    if name not in CONVERSES_ON_CONTEXT:
        pytest.skip("chat completions refuse such a question instead")
    server.play(Say("Half", stop="context"))
    assert provider.complete(request_for(name)).stop is StopReason.CONTEXT_FULL


def test_an_unknown_end_is_no_answer(name: str, provider: Provider, server: ModelServer) -> None:
    server.play(Say("Half", stop="malformed_model_output"))
    assert "malformed_model_output" in passing(provider, name).reason


@pytest.mark.parametrize(
    ("act", "is_throttled"),
    [
        (Fail(429, aws="ThrottlingException"), True),
        (Fail(500, aws="InternalServerException"), False),
        (Fail(503, aws="ServiceUnavailableException"), False),
        (Fail(408, aws="ModelTimeoutException"), False),
        (Reset(), False),
        (Html(), False),
        (Break("reset"), False),
        (Break("end"), False),
        (Break("garbage"), False),
        (Break("shape"), False),
    ],
    ids=[
        *("429", "500", "503", "408", "reset", "html", "cut by reset", "cut by end", "garbage"),
        "shape",
    ],
)
def test_trouble_passes(
    act: Act, *, is_throttled: bool, name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(act)
    error = passing(provider, name)
    assert error.is_throttled is is_throttled
    assert len(server.seen) == 1, "the SDK tried again by itself"


def test_an_overloaded_endpoint_wants_fewer_questions(
    name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Fail(529))
    if name == "converse":
        assert passing(provider, name).reason
    else:
        assert passing(provider, name).is_throttled


def test_an_error_within_an_answer_passes_but_may_be_billed(
    name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Break("error"))
    assert passing(provider, name).may_be_billed


@pytest.mark.parametrize(
    ("header", "wait"),
    [(None, None), ("7", 7), ("0.5", 0.5), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("-3", None)],
    ids=["none", "seconds", "parts of seconds", "a date", "negative"],
)
def test_the_wait_that_is_asked_for_is_reported(
    header: str | None, wait: float | None, name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Fail(429, retry_after=header, aws="ThrottlingException"))
    assert passing(provider, name).retry_after == wait


@pytest.mark.parametrize(
    "usage",
    [
        (-5_000_000, 10, 0, 0),
        (100, -1, 0, 0),
        (100, 10, -300, 0),
        (10**15, 10, 0, 0),
        (100, float("nan"), 0, 0),
    ],
    ids=["negative in", "negative out", "negative cached", "huge", "NaN"],
)
def test_a_count_that_no_tokens_can_have_is_none(
    usage: Any,  # noqa: ANN401 - what no endpoint should say
    name: str,
    provider: Provider,
    server: ModelServer,
) -> None:
    server.play(Say("Graz", usage=usage))
    assert provider.complete(request_for(name)).usage is None


def test_silence_ends_in_time(name: str, server: ModelServer) -> None:
    provider = adapter_at(name, server.url, replace(SHORT, read=0.3))
    server.play(Silence(1.5))
    assert passing(provider, name).may_be_billed


def test_an_answer_that_trickles_in_ends_in_time(name: str, server: ModelServer) -> None:
    provider = adapter_at(name, server.url, replace(SHORT, whole=0.3))
    server.play(Drip(0.15))
    assert passing(provider, name).reason == "no whole answer within 0.3 s"


def test_an_answer_without_an_end_is_not_read_to_the_end_of_the_memory(
    name: str, provider: Provider, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_limits, "MOST_BYTES", 500_000)
    monkeypatch.setattr(converse, "MOST_CHARACTERS", 500_000)
    server.play(Flood())
    error = passing(provider, name)
    assert "the endpoint sent more than 0.5 MB for one answer" in error.reason
    assert error.may_be_billed


def test_an_answer_that_is_slow_but_in_time_is_whole(
    name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(Drip(0.05))
    assert provider.complete(request_for(name)).text == "slow but whole"


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Fail(401, aws="UnrecognizedClientException"), "model-key-refused"),
        (Fail(403, aws="AccessDeniedException"), "model-access-denied"),
        (Fail(403, "expired", aws="ExpiredTokenException:http://internal"), "access-or-key"),
        (Fail(404, aws="ResourceNotFoundException"), "model-unknown"),
        (Fail(400, "The provided model identifier is invalid."), "model-unknown"),
        (Fail(400, "prompt is too long"), "model-request-refused"),
        (Fail(413, "too large"), "model-request-refused"),
    ],
    ids=["401", "403", "expired", "404", "invalid name", "400", "413"],
)
def test_what_no_further_attempt_repairs_is_an_error(
    act: Fail, code: str, name: str, provider: Provider, server: ModelServer
) -> None:
    server.play(act)
    fault = final(provider, name).faults[0]
    if code == "access-or-key":  # Only AWS says so by a code that others do not have.
        is_aws = name in {"invoke", "converse"}
        code = "model-key-refused" if is_aws else "model-access-denied"
    assert fault.code == code
    assert fault.message.rpartition(": ")[2].partition(" (request")[0] == act.message
    assert fault.hint


def test_the_form_of_the_api_is_known_without_a_key(name: str, provider: Provider) -> None:
    author, model, _ = ADAPTERS[name]
    assert find_api_family(author, model, Settings()) == provider.family


def test_no_error_shows_a_secret(name: str, provider: Provider, server: ModelServer) -> None:
    server.play(Fail(401, f"no such key: {SECRET}", aws="UnrecognizedClientException"))
    error = final(provider, name)
    text = f"{error} {error.__cause__}"
    assert SECRET not in text
    assert "[secret]" in str(error)
    server.play(Fail(500, f"no such key: {SECRET}", aws="InternalServerException"))
    passed = passing(provider, name)
    assert SECRET not in f"{passed} {passed.__cause__}"


def test_without_credentials_of_aws_nothing_is_asked(
    name: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in {"anthropic", "openai"}:
        pytest.skip("these look for their key before they are built")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    # Anthropic's SDK remembers the credentials of a region.
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-test-2")
    provider = adapter_at(name, server.url)
    fault = final(provider, name).faults[0]
    assert fault.code == "model-key-missing"
    assert "AWS_PROFILE" in fault.hint
    assert server.seen == []


def test_an_endpoint_that_is_not_there_passes(name: str, server: ModelServer) -> None:
    provider = adapter_at(name, "http://127.0.0.1:9")
    error = passing(provider, name)
    assert "onnect" in error.reason
    assert not error.may_be_billed
    assert server.seen == []


def test_an_address_is_shown_without_its_password(name: str, server: ModelServer) -> None:
    provider = adapter_at(name, server.url.replace("//", "//me:secret-word@"))
    server.play(Fail(404, aws="ResourceNotFoundException"))
    assert "secret-word" not in f"{final(provider, name)} {provider.endpoint}"
    assert provider.endpoint.startswith("http://127.0.0.1:")
