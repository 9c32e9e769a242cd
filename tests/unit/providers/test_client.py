from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sopforge.authors.providers.adapters.endpoints import Endpoint
from sopforge.authors.providers.budget import Budget
from sopforge.authors.providers.client import Client
from sopforge.authors.providers.completion import (
    Completion,
    PassingError,
    Request,
    StopReason,
    Usage,
)
from sopforge.authors.providers.following_up import join_parts
from sopforge.authors.providers.ledger import Ledger, Purpose, reconcile
from sopforge.authors.providers.pricing import read_prices
from sopforge.authors.providers.record import CompletionRecord
from sopforge.authors.providers.retrying import RetryLoop
from sopforge.authors.providers.totals import compute_totals
from sopforge.errors import Fault, ProviderError
from sopforge.store.backends.folder import FolderObjects
from tests.servers.model_server import Break, Fail, Say, model_server
from tests.worlds.providers import (
    REQUEST,
    SCHEMA,
    SECRET,
    FakeTime,
    ScriptedProvider,
    adapter_at,
    answer,
    events_in,
    set_keys,
)

PURPOSE = Purpose("sop", "write_sop", 1)
NOW = datetime(2026, 11, 20, tzinfo=UTC)
CITY = '{"city": "Graz", "people": 3}'
PRICED = replace(REQUEST, model="claude-opus-5-5")
IN_FORM = replace(REQUEST, schema=SCHEMA)
TRUNCATED, REFUSED = StopReason.TRUNCATED, StopReason.REFUSED


@dataclass
class Bench:
    """A client over a scripted provider, and what it leaves over."""

    folder: Path

    def client(self, provider: Any, limit: Decimal | None = None, **more: Any) -> Client:  # noqa: ANN401 - a fake or an adapter
        time = FakeTime()
        endpoint = Endpoint(4, clock=time.clock, sleep=time.sleep)
        return Client(
            provider,
            record=CompletionRecord(FolderObjects(self.folder), ".completions/", **more),
            ledger=Ledger(FolderObjects(self.folder), "calls.jsonl"),
            loop=RetryLoop(endpoint, clock=time.clock, sleep=time.sleep),
            prices=read_prices(),
            budget=Budget(limit),
            clock=time.clock,
            now=lambda: NOW,
        )

    def events(self, kind: str) -> list[Mapping[str, Any]]:
        found = events_in(self.folder / "calls.jsonl")
        return [event for event in found if event["event"] == kind]

    @property
    def texts(self) -> str:
        return "".join(
            path.read_text(encoding="utf-8")
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def turns(request: Request) -> list[tuple[str, str]]:
    return [(turn.role, turn.blocks[-1].text) for turn in request.messages]


def test_a_question_is_paid_for_once_across_clients(bench: Bench) -> None:
    first = bench.client(ScriptedProvider(answer("Graz"))).ask(REQUEST, PURPOSE)
    silent = ScriptedProvider()
    assert bench.client(silent).ask(REQUEST, PURPOSE) == first
    assert silent.asked == []
    assert [event["cost"] for event in bench.events("replayed")] == ["0"]


def test_threads_that_ask_the_same_pay_once(bench: Bench) -> None:
    provider = ScriptedProvider(answer("Graz"))
    client, found = bench.client(provider), list[str]()
    threads = [
        Thread(target=lambda: found.append(client.ask(REQUEST, PURPOSE).text)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["Graz"] * 4
    assert len(provider.asked) == 1


def test_an_answer_out_of_form_is_asked_for_again_with_what_is_wrong(bench: Bench) -> None:
    provider = ScriptedProvider(answer('{"city": "Graz"}'), answer("Graz"), answer(CITY))
    assert bench.client(provider).ask(IN_FORM, PURPOSE).value["people"] == 3
    correction = (
        "Your answer does not have the form that was asked for:\n"
        "- $: 'people' is a required property\n"
        "Give the whole answer again, corrected."
    )
    assert turns(provider.asked[1])[1:] == [
        ("assistant", '{"city": "Graz"}'),
        ("user", correction),
    ]
    # The second correction is of the second answer: the first is not dragged along.
    assert [role for role, _ in turns(provider.asked[2])] == ["user", "assistant", "user"]
    counts = reconcile(events_in(bench.folder / "calls.jsonl"))
    assert (counts.calls, counts.answers, counts.rejects) == (3, 1, 2)
    # A rerun takes the same answers from the record, and pays nothing.
    assert bench.client(ScriptedProvider()).ask(IN_FORM, PURPOSE).value["people"] == 3


def test_a_truncated_answer_in_form_is_asked_for_with_twice_the_room(bench: Bench) -> None:
    provider = ScriptedProvider(answer('{"city": "Gr', TRUNCATED), answer(CITY))
    assert bench.client(provider).ask(IN_FORM, PURPOSE).value["city"] == "Graz"
    assert [asked.max_tokens for asked in provider.asked] == [1000, 2000]


def test_a_text_cut_before_it_began_is_asked_for_with_twice_the_room(bench: Bench) -> None:
    provider = ScriptedProvider(answer("", TRUNCATED), answer("Graz"))
    assert bench.client(provider).ask(REQUEST, PURPOSE).text == "Graz"
    assert [asked.max_tokens for asked in provider.asked] == [1000, 2000]


def test_a_truncated_text_is_continued(bench: Bench) -> None:
    provider = ScriptedProvider(
        answer("The city of Graz lies ", TRUNCATED),
        answer("on the Mur, in ", TRUNCATED),
        answer("Styria."),
    )
    completion = bench.client(provider).ask(REQUEST, PURPOSE)
    assert completion.text == "The city of Graz lies on the Mur, in Styria."
    assert turns(provider.asked[2])[1] == (
        "assistant",
        "The city of Graz lies on the Mur, in",
    )
    assert bench.client(ScriptedProvider()).ask(REQUEST, PURPOSE).text == completion.text


def test_a_refusal_is_reported_as_one(bench: Bench) -> None:
    refusal = answer("", REFUSED, detail="not this")
    with pytest.raises(ProviderError) as caught:
        bench.client(ScriptedProvider(refusal)).ask(REQUEST, PURPOSE)
    fault = caught.value.faults[0]
    assert (fault.code, fault.where) == ("completion-refused", "sop, write_sop")
    assert fault.message == "'claude-test-1' refused to answer: not this"


@pytest.mark.parametrize(
    ("request_", "bad", "code"),
    [
        (REQUEST, [answer("", REFUSED)], "refused"),
        (IN_FORM, [answer("Graz"), answer("Linz"), answer("Wels")], "malformed"),
        (IN_FORM, [answer("Graz"), answer("Graz"), answer("Graz")], "malformed"),
        (IN_FORM, [answer('{"city', TRUNCATED), answer('{"city', TRUNCATED)], "truncated"),
        (REQUEST, [answer("Gr", TRUNCATED)] * 4, "truncated"),
    ],
    ids=["refused", "out of form", "out of form in the same words", "cut value", "cut text"],
)
def test_what_came_to_a_bad_end_is_asked_anew_by_the_next_run(
    bench: Bench, request_: Request, bad: list[Completion], code: str
) -> None:
    first = ScriptedProvider(*bad)
    with pytest.raises(ProviderError, match=f"completion-{code}"):
        bench.client(first).ask(request_, PURPOSE)
    assert (len(first.asked), first.script) == (len(bad), [])

    # Nothing is asked where only what is on record is wanted.
    with pytest.raises(ProviderError, match=f"completion-{code}"):
        bench.client(ScriptedProvider(), is_replay_only=True).ask(request_, PURPOSE)

    well = ScriptedProvider(answer(CITY))
    assert bench.client(well).ask(request_, PURPOSE).text == CITY
    assert well.asked == [request_]
    assert bench.client(ScriptedProvider()).ask(request_, PURPOSE).text == CITY


def test_an_attempt_that_was_cut_off_is_shown_at_its_highest_cost(bench: Bench) -> None:
    cut = [PassingError("the answer ended early", may_be_billed=True) for _ in range(3)]
    provider = ScriptedProvider(*cut, PassingError("529: busy"), answer("Graz"))
    bench.client(provider).ask(PRICED, PURPOSE)

    found = compute_totals(events_in(bench.folder / "calls.jsonl"))

    # Each at most its 1,000 tokens out x $20, and 121 in x $5 (written to the cache) a million.
    assert found.cut_off.attempts == 3
    assert found.cut_off.most == 3 * (Decimal("0.02") + 121 * Decimal("0.000005"))
    assert found.describe_cost() == "$0.0280, 3 attempts cut off, at most $0.0618 more"
    assert found.format_cost() == "0.0280 + at most 0.0618"


def test_a_full_context_is_an_error(bench: Bench) -> None:
    provider = ScriptedProvider(answer("", StopReason.CONTEXT_FULL))
    with pytest.raises(ProviderError) as caught:
        bench.client(provider).ask(REQUEST, PURPOSE)
    assert caught.value.faults[0].code == "completion-too-long"


def test_attempts_that_failed_are_in_the_log(bench: Bench) -> None:
    provider = ScriptedProvider(PassingError("529: busy"), PassingError("reset"), answer("Graz"))
    bench.client(provider).ask(REQUEST, PURPOSE)
    [event] = bench.events("answered")
    assert [item["reason"] for item in event["failed_attempts"]] == ["529: busy", "reset"]


def test_a_failure_is_in_the_log_and_nothing_on_record(bench: Bench) -> None:
    provider = ScriptedProvider(ProviderError(Fault("model-key-refused", "no")))
    with pytest.raises(ProviderError):
        bench.client(provider).ask(REQUEST, PURPOSE)
    assert [event["code"] for event in bench.events("failed")] == ["model-key-refused"]
    assert not list((bench.folder / ".completions").glob("??/*.json"))


def test_a_process_that_dies_while_asking_leaves_an_open_call(bench: Bench) -> None:
    provider = ScriptedProvider(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        bench.client(provider).ask(REQUEST, PURPOSE)
    assert reconcile(events_in(bench.folder / "calls.jsonl")).interrupted == 1
    assert bench.client(ScriptedProvider(answer("Graz"))).ask(REQUEST, PURPOSE).text == "Graz"


def test_the_cost_is_reckoned_from_the_price_list(bench: Bench) -> None:
    usage = Usage(input=1000, output=500, cache_read=10_000, cache_write=2000)
    bench.client(ScriptedProvider(answer("Graz", usage=usage))).ask(PRICED, PURPOSE)
    # 1,000 at $4, 500 at $20, 10,000 at $0.20 and 2,000 at $5 a million.
    assert [Decimal(event["cost"]) for event in bench.events("answered")] == [Decimal("0.026")]


def test_a_model_without_a_price_costs_unknown(bench: Bench) -> None:
    bench.client(ScriptedProvider(answer("Graz"))).ask(REQUEST, PURPOSE)
    assert [event["cost"] for event in bench.events("answered")] == ["unknown"]


def test_an_answer_without_a_count_of_tokens_costs_unknown(bench: Bench) -> None:
    bench.client(ScriptedProvider(answer("Graz", usage=None))).ask(PRICED, PURPOSE)
    assert [event["cost"] for event in bench.events("answered")] == ["unknown"]


def test_a_budget_stops_before_the_question_that_could_pass_it(bench: Bench) -> None:
    provider = ScriptedProvider(answer("one"), answer("two"))
    # Each answer costs 2,000 x $4 + 1,000 x $20 a million: $0.028; the next could cost $0.02 and
    # a little for its prompt.
    client = bench.client(provider, Decimal("0.045"))
    client.ask(PRICED, PURPOSE)
    with pytest.raises(ProviderError) as caught:
        client.ask(replace(PRICED, replicate=1), PURPOSE)
    assert caught.value.faults[0].code == "budget-reached"
    assert "$0.03 of it is spent" in caught.value.faults[0].message
    assert len(provider.asked) == 1
    # With a larger budget it goes on where it stopped.
    again = bench.client(provider, Decimal("0.045"))
    again.ask(PRICED, PURPOSE)
    again.ask(replace(PRICED, replicate=1), PURPOSE)
    assert len(provider.asked) == 2


def test_a_cut_answer_counts_against_the_budget(bench: Bench) -> None:
    errors = [PassingError("the answer ended early", may_be_billed=True) for _ in range(3)]
    provider = ScriptedProvider(*errors, answer("Graz"))
    with pytest.raises(ProviderError) as caught:
        bench.client(provider, Decimal("0.045")).ask(PRICED, PURPOSE)
    assert caught.value.faults[0].code == "budget-reached"
    assert len(provider.asked) == 2


def test_an_error_without_an_answer_does_not(bench: Bench) -> None:
    errors = [PassingError("529: busy") for _ in range(3)]
    provider = ScriptedProvider(*errors, answer("Graz"))
    assert bench.client(provider, Decimal("0.045")).ask(PRICED, PURPOSE).text == "Graz"


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("one ", "two", "one two"),
        ("A brown fox", "brown fox runs", "A brown foxbrown fox runs"),
        ("The quick brown fox jumps", "quick brown fox jumps up", "The quick brown fox jumps up"),
        ("", "two", "two"),
        ("one", "", "one"),
    ],
    ids=["plain", "too short a repeat", "a repeat", "empty before", "empty after"],
)
def test_what_a_continuation_repeats_stands_once(before: str, after: str, whole: str) -> None:
    assert join_parts(before, after) == whole


@pytest.mark.parametrize("name", ["anthropic", "converse"])
def test_no_file_and_no_error_holds_a_key(
    name: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_keys(monkeypatch)
    with model_server() as server:
        client = bench.client(adapter_at(name, server.url))
        request = replace(REQUEST, model="qwen.q" if name == "converse" else "claude-test-1")
        server.play(Break("error"), Fail(500, f"key {SECRET}", aws="InternalServerException"))
        server.play(Say("Graz"))
        assert client.ask(request, PURPOSE).text == "Graz"
        server.play(Fail(403, f"key {SECRET} may not", aws="AccessDeniedException"))
        with pytest.raises(ProviderError) as caught:
            client.ask(replace(request, replicate=1), PURPOSE)
    assert "[secret]" in bench.texts
    assert SECRET not in bench.texts
    assert SECRET not in f"{caught.value} {caught.value.__cause__}"
