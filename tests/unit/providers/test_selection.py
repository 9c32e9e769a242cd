from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.authors.providers.selection import build_provider, choose_bedrock_api
from sopforge.authors.providers.settings import Settings
from sopforge.errors import MaterialError, ProviderError
from tests.worlds.providers import INSTALLED, REQUEST, set_keys

KEYS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "OPENAI_API_KEY",
)


@pytest.mark.parametrize(
    ("model", "api"),
    [
        ("anthropic.claude-opus-5-5", "mantle"),
        ("global.anthropic.claude-sonnet-5-5", "invoke"),
        ("us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "invoke"),
        ("arn:aws:bedrock:eu-central-1:1:application-inference-profile/x", "converse"),
        ("qwen.qwen3-coder-480b-a35b-v1:0", "converse"),
        ("us.amazon.nova-pro-v1:0", "converse"),
    ],
    ids=["by its name", "global", "gov", "arn", "qwen", "nova"],
)
def test_a_model_of_bedrock_has_the_api_that_serves_it_best(model: str, api: str) -> None:
    assert choose_bedrock_api(model) == api


@pytest.mark.parametrize(
    ("author", "model", "settings", "endpoint"),
    [
        ("anthropic", "claude-x", Settings(), "https://api.anthropic.com"),
        (
            "bedrock",
            "anthropic.claude-x",
            Settings(region="eu-test-9"),
            "https://bedrock-mantle.eu-test-9.api.aws/anthropic/",
        ),
        (
            "bedrock",
            "eu.anthropic.claude-x",
            Settings(region="eu-test-9"),
            "https://bedrock-runtime.eu-test-9.amazonaws.com",
        ),
        (
            "bedrock",
            "anthropic.claude-x",
            Settings(bedrock_api="converse"),
            "https://bedrock-runtime.eu-test-1.amazonaws.com",
        ),
    ],
    ids=["anthropic", "mantle", "invoke", "converse"],
)
def test_where_a_provider_asks(
    author: str, model: str, settings: Settings, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_keys(monkeypatch)
    assert build_provider(author, model, settings).endpoint.rstrip("/") == endpoint.rstrip("/")


def test_addresses_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    set_keys(monkeypatch)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:8788")
    assert build_provider("anthropic", "m", Settings()).endpoint == "http://127.0.0.1:8788"
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "http://127.0.0.1:8789")
    assert build_provider("bedrock", "qwen.q", Settings()).endpoint == "http://127.0.0.1:8789"


def test_converse_reads_the_region_that_the_other_clients_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_keys(monkeypatch)
    monkeypatch.setenv("AWS_REGION", "eu-test-7")
    assert "eu-test-7" in build_provider("bedrock", "qwen.q", Settings()).endpoint


def test_without_a_key_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_keys(monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    authors = ["anthropic", *(["openai"] if "openai" in INSTALLED else [])]
    for author in authors:
        with pytest.raises(ProviderError) as caught:
            build_provider(author, "m", Settings())
        fault = caught.value.faults[0]
        assert fault.code == "model-key-missing"
        assert f"{author.upper()}_API_KEY" in fault.hint


@pytest.mark.parametrize("model", ["anthropic.claude-x", "eu.anthropic.claude-x", "qwen.q"])
def test_bedrock_needs_a_region(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_keys(monkeypatch)
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(ProviderError) as caught:
        build_provider("bedrock", model, Settings())
    assert caught.value.faults[0].code == "model-region-missing"


def test_a_profile_that_is_not_there_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    set_keys(monkeypatch)
    with pytest.raises(ProviderError) as caught:
        build_provider("bedrock", "qwen.q", Settings(profile="nobody"))
    assert caught.value.faults[0].code == "model-key-missing"
    assert "nobody" in caught.value.faults[0].hint


@pytest.mark.parametrize("model", ["anthropic.claude-x", "eu.anthropic.claude-x"])
def test_so_it_is_where_the_profile_is_read_only_to_sign(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_keys(monkeypatch)
    provider = build_provider(
        "bedrock", model, Settings(base_url="http://127.0.0.1:9", profile="nobody")
    )
    with pytest.raises(ProviderError) as caught:
        provider.complete(replace(REQUEST, model=model))
    assert caught.value.faults[0].code == "model-key-missing"
    assert "nobody" in caught.value.faults[0].hint


def test_an_unknown_author_is_reported() -> None:
    with pytest.raises(MaterialError) as caught:
        build_provider("oracle", "m", Settings())
    assert str(caught.value) == (
        "author: unknown-provider: there is no provider 'oracle'; the providers are anthropic,"
        " bedrock, openai\n  hint: name one of these"
    )


def test_a_missing_library_is_answered_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapter = "sopforge.authors.providers.adapters.openai_compatible"
    monkeypatch.delitem(sys.modules, adapter, raising=False)
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ProviderError) as caught:
        build_provider("openai", "m", Settings())
    fault = caught.value.faults[0]
    assert (fault.code, fault.hint) == (
        "provider-not-installed",
        "install it with: pip install 'sopforge[openai]'",
    )
