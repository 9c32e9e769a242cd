"""Plots of a dataset as inline SVG: the same bytes for the same numbers, in the page's colours."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 300
BAR_HEIGHT = 38
COLUMNS_HEIGHT = 120
LONGEST, LINE = 36, 44
# Colours that stand for those of the page, which differ between light and dark.
INK, FILL, LIMIT = "#010203", "#040506", "#070809"
PAGE_COLOURS = {INK: "currentColor", FILL: "var(--bar)", LIMIT: "var(--error)"}
SETTINGS: Any = {
    "svg.hashsalt": "sopforge",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 12.5,
    "text.parse_math": False,
    "text.color": INK,
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A label, how long its bar is, and what stands at its end."""

    label: str
    length: float
    says: str


def bars(title: str, items: Sequence[Bar], longest: float, limit: float | None = None) -> Markup:
    """Return bars below one another, each under its label; ``limit`` draws a line across them."""
    with _figure(max(1, len(items)) * BAR_HEIGHT) as (figure, axes):
        axes.set_xlim(0, longest)
        axes.set_ylim(len(items), 0)
        for place, item in enumerate(items):
            axes.barh(place + 0.72, item.length, height=0.34, color=FILL)
            axes.text(0, place + 0.48, _cut(item.label, item.says), va="bottom", ha="left")
            axes.text(1, place + 0.48, item.says, va="bottom", ha="right", transform=_across(axes))
        if limit is not None:
            axes.axvline(limit, color=LIMIT, linestyle="--", linewidth=1.5)
        return _svg(figure, title)


def columns(title: str, heights: Sequence[int], ends: tuple[str, str]) -> Markup:
    """Return columns beside one another, with what the first begins and the last ends at."""
    with _figure(COLUMNS_HEIGHT) as (figure, axes):
        axes.set_xlim(0, len(heights))
        axes.set_ylim(-0.2 * max(heights), 1.15 * max(heights))
        places = [place + 0.5 for place in range(len(heights))]
        axes.bar(places, heights, width=0.9, color=FILL)
        axes.axhline(0, color=INK, linewidth=0.8)
        for place, height in zip(places, heights, strict=True):
            if height:
                axes.text(place, height, str(height), va="bottom", ha="center", fontsize=10)
        axes.text(0, -0.05 * max(heights), ends[0], va="top", ha="left")
        axes.text(len(heights), -0.05 * max(heights), ends[1], va="top", ha="right")
        return _svg(figure, title)


@contextmanager
def _figure(height: int) -> Iterator[tuple[Figure, Axes]]:
    """Yield an empty figure of the page's width, whatever the user's own settings are."""
    import matplotlib as mpl  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        yield figure, axes


def _across(axes: Axes) -> object:
    """Return the coordinates in which x runs from 0 to 1 across the plot, and y is data."""
    return axes.get_yaxis_transform()


def _svg(figure: Figure, title: str) -> Markup:
    """Return the figure as an element for a page; it is an image with the title as its text."""
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r'^<svg[^>]*viewBox="([^"]*)"[^>]*>', _root(title), text, flags=re.DOTALL)
    text = re.sub(r' id="([^"]*)"', lambda found: found[0] if f"#{found[1]}" in text else "", text)
    for colour, name in PAGE_COLOURS.items():
        text = text.replace(colour, name)
    return Markup(text)  # noqa: S704 - matplotlib escapes the texts that it draws


def _root(title: str) -> str:
    label = Markup.escape(title).replace("\\", r"\\")
    return (
        rf'<svg viewBox="\1" width="{WIDTH}" role="img" aria-label="{label}"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink">'
    )


def _cut(text: str, beside: str) -> str:
    """Return a label that leaves room for what stands at the end of its line."""
    longest = min(LONGEST, LINE - len(beside))
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def told(counts: Mapping[str, int]) -> str:
    """Return counts as words, for those who do not see the plot."""
    return ", ".join(f"{label} {count}" for label, count in counts.items())
