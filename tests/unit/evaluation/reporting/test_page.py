"""The report as a page: what is marked, that agents' words stay text, and that it needs nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.figures.summaries import Summary, summarize
from sopforge.evaluation.reporting.page import (
    build_overview,
    format_amount,
    format_money,
    format_range,
    name_agents,
    render_report,
)
from sopforge.evaluation.reporting.trajectories import show_attempt
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.runs.rows import Attempted, Row
from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.grading.grades import DivergenceKind
from tests.worlds.attempt_rows import make_epochs, make_row, make_signed_rows

EVIL = "</bdi><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>\ud800\u202e&amp;"
OPEN = {"meta", "link", "img", "input", "br", "hr", "circle", "line"}


class _Reading(HTMLParser):
    """Collects the tags and addresses of a page, and whether its tags fit together."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in OPEN:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> _Reading:
    """Return a page as it is read."""
    found = _Reading()
    found.feed(page)
    assert not found.open
    return found


def summarize_all(rows: list[Row]) -> list[Summary]:
    """Return the summaries of rows."""
    return [summarize(series) for series in list_series(rows)]


def find_line(page: str, agent: str) -> str:
    """Return the first line of a table that is about an agent."""
    found = re.search(rf"<tr><th scope=\"row\"><bdi>{agent}</bdi>.*?</tr>", page, re.DOTALL)
    assert found is not None
    return found[0]


def test_the_best_is_bold_and_the_second_best_underlined() -> None:
    rows = [
        *make_signed_rows("+++-", agent="good"),
        *make_signed_rows("++++", agent="best"),
        *make_signed_rows("+---", agent="poor"),
    ]
    page = render_report(summarize_all(rows), {})
    read(page)

    assert "<strong>1.000</strong>" in find_line(page, "best")
    assert "<u>0.750</u>" in find_line(page, "good")
    assert not re.search("<strong>|<u>", find_line(page, "poor"))


def test_the_mean_is_of_agents_with_a_run_on_each_package() -> None:
    rows = [
        *make_signed_rows("++", agent="both"),
        *make_signed_rows("+-", agent="both", package="stays"),
        *make_signed_rows("++", agent="one"),
    ]
    both, one = build_overview(summarize_all(rows))

    assert (both.mean, both.rank) == (0.75, 1)
    assert (one.mean, one.rank) == (None, None)
    assert [cell.rank for cell in one.cells] == [1, None]


def test_what_agents_wrote_stays_text_and_nothing_is_fetched() -> None:
    row = make_row(
        EVIL,
        agent=EVIL,
        is_right=False,
        divergence_kind=DivergenceKind.WRONG_RULE,
        divergence_at=EVIL,
        divergence_says=EVIL,
        fabricated=(EVIL,),
        expected={EVIL: EVIL},
        outcomes={EVIL: False},
        stated={EVIL: EVIL},
        path=(EVIL,),
    )
    log = Attempted((Said(EVIL), Called(EVIL, {EVIL: EVIL}, Reply(None, EVIL, EVIL))), EVIL)
    page = render_report(summarize_all([row]), {EVIL: [show_attempt(row, log, None)]})
    found = read(page)

    assert not {"script", "img", "iframe", "object", "link"} & set(found.seen)
    assert all(address.startswith("#") for address in found.addresses)
    assert "default-src 'none'" in page
    assert "the gold calls are not shown" in page


def test_attempts_in_which_nothing_differs_are_shown_once_with_their_number() -> None:
    rows = [
        make_row(f"task-{number}", is_right=False, divergence_at=place)
        for number, place in enumerate(("look", "look", "pay", "look"))
    ]
    shown = [show_attempt(row, Attempted((), ""), None) for row in rows]

    page = render_report(summarize_all(rows), {"a": shown})

    assert page.count('<details class="attempt"') == 2
    assert "and 2 more like it" in page
    assert "4 of 4 wrong attempts" in page
    # Whatever is proved by one of them leads to it.
    assert all(f'id="t{row.asked.key}"' in page for row in rows)


def test_epochs_show_pass_k_and_few_of_them_are_marked() -> None:
    page = render_report(summarize_all(make_epochs(["+-", "++"])), {})

    assert "0.750, 0.500" in page
    assert "Fewer than 4 epochs say little." in page
    assert "Run-to-run floor</th>" not in render_report(summarize_all(make_signed_rows("+")), {})


def test_agents_that_differ_in_settings_alone_are_named_apart() -> None:
    rows = [make_row("1", settings="t=0"), make_row("1", settings="t=1"), make_row("1", agent="b")]

    assert list(name_agents(summarize_all(rows)).values()) == ["a [t=0]", "a [t=1]", "b"]


@pytest.mark.parametrize(
    ("value", "amount", "money"),
    [
        (None, "-", "-"),
        (0.0, "0", "$0.00"),
        (0.0123, "0.01", "$0.0123"),
        (1234.5, "1,234", "$1,234.50"),
    ],
)
def test_figures_have_the_places_that_say_something(
    value: float | None, amount: str, money: str
) -> None:
    assert (format_amount(value), format_money(value)) == (amount, money)


def test_a_page_of_many_attempts_stays_small() -> None:
    rows = [
        make_row(
            f"task-{number}",
            agent=f"agent {number % 8}",
            is_right=number % 3 == 0,
            divergence_kind=DivergenceKind.WRONG_RULE,
            path=("look", f"edge-{number % 200}"),
            divergence_at=f"look: rule-{number % 400}",
        )
        for number in range(8_000)
    ]

    assert len(render_report(summarize_all(rows), {})) < 500_000


def list_agents(page: str) -> list[str]:
    """Return the agents of the first table, in its order."""
    table = page[page.index('class="standings"') : page.index("</table>")]
    return re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', table)


def test_the_page_begins_with_the_agents_the_best_first_and_details_come_last() -> None:
    rows = [
        *make_signed_rows("+---", agent="poor"),
        *make_signed_rows("++++", agent="best"),
        *make_signed_rows("++--", agent="fair"),
    ]
    page = render_report(summarize_all(rows), {})

    assert list_agents(page) == ["best", "fair", "poor"]
    places = [page.index(part) for part in ('class="intervals"', "Answers and costs", "<details")]
    assert places == sorted(places)
    assert page.index('class="standings"') < places[0]


def test_intervals_are_drawn_with_their_figures_the_same_each_time() -> None:
    rows = [*make_signed_rows("++-", agent="a $x$ <b>"), *make_signed_rows("+++", agent="b")]
    first, again = (render_report(summarize_all(rows), {}) for _ in range(2))

    found = read(first)
    assert first == again
    assert found.seen.count("svg") == 2
    assert "a $x$ &lt;b&gt;" in first
    assert first.count(">1.000 [0.439, 1.000]</text>") == 2
    # It has the colours of the page, light or dark.
    drawn = first[first.index("<svg") : first.index("</svg>")]
    assert "var(--accent)" in drawn
    assert not re.search("#[0-9a-f]{6}", drawn)


def test_without_the_library_that_draws_the_table_has_the_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sopforge.evaluation.reporting.plots.can_draw", lambda: False)
    page = render_report(summarize_all(make_signed_rows("+++")), {})

    assert "<svg" not in page
    assert "0.439 to 1.000" in page


def test_a_run_that_is_not_finished_is_marked_and_comes_last_without_a_rank() -> None:
    part, whole = make_signed_rows("+++", agent="part"), make_signed_rows("+++-", agent="whole")
    asked = [replace(row.asked, agent="part") for row in whole]
    page = render_report([summarize(item) for item in list_series([*part, *whole], asked)], {})

    assert list_agents(page) == ["whole", "part"]
    assert "<bdi>part</bdi> on <bdi>parcels</bdi> is not finished: 3 of 4 tasks attempted." in page
    assert not re.search("<strong>|<u>", find_line(page, "part"))
    assert "<strong>0.750</strong>" in find_line(page, "whole")


@pytest.mark.parametrize(
    ("low", "high", "of_hundred", "share"),
    [
        (0.896, 1.0, "89 to 100", "0.89 to 1.00"),
        (0.9, 0.9701, "90 to 98", "0.90 to 0.98"),
        (0.29, 0.58, "29 to 58", "0.29 to 0.58"),
        (0.0, 0.0, "0 to 0", "0.00 to 0.00"),
    ],
)
def test_an_interval_is_rounded_outwards(
    low: float, high: float, of_hundred: str, share: str
) -> None:
    rate = Rate(low, low, high, 40)

    assert (format_range(rate, 0, 100), format_range(rate, 2)) == (of_hundred, share)
