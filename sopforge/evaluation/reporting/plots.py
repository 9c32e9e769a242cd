"""Plots of figures with their intervals, as SVG that follows the colours of its page.

Equal figures give equal bytes. Without the extra ``evaluate`` there are none: tables have all that
they show.
"""

from __future__ import annotations

import importlib.util
import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sopforge.evaluation.runs.metrics import Rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, NARROW = 1000, 352
"""Widths in pixels: of a desk's screen, and of a telephone's."""
_ROW, _FRAME = 46, 52
_LETTERS = 8.5
"""How wide a letter is, and how high a line is with its name, and what stands around all lines."""
_TEXT, _MUTED, _LINE, _POINT = "#010101", "#020202", "#030303", "#040404"
_COLOURS = {_TEXT: "--text", _MUTED: "--muted", _LINE: "--curve", _POINT: "--accent"}
_SETTINGS: dict[Any, Any] = {
    # Text stays text, in whatever font the page has.
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 13,
    "text.color": _TEXT,
    "xtick.color": _MUTED,
}


@dataclass(frozen=True, slots=True)
class Interval:
    """A line of a plot: a share with its interval, and how far its run came if not to its end."""

    name: str
    rate: Rate
    progress: str = ""


def can_draw() -> bool:
    """Return whether the library is there that draws."""
    return importlib.util.find_spec("matplotlib") is not None


def draw_intervals(lines: Sequence[Interval], width: int) -> str:
    """Return shares between 0 and 1 below each other, each with its interval and both in figures.

    Empty where nothing can be drawn.
    """
    known = [item for item in lines if item.rate.share is not None]
    if not known or not can_draw():
        return ""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    height = _ROW * len(known) + _FRAME
    with rc_context({**_SETTINGS, "svg.hashsalt": f"intervals {width}"}):
        figure = Figure(figsize=(width / 72, height / 72))
        figure.patch.set_alpha(0)
        sides = 14 / width, 1 - 28 / width
        axes = figure.add_axes((sides[0], 44 / height, sides[1], 1 - _FRAME / height))
        _prepare_axes(axes, len(known))
        for place, item in enumerate(known):
            _draw_interval(axes, place, item, int((width - 170) / _LETTERS))
        return _write_svg(figure, "Shares with their intervals of 95 percent")


def _prepare_axes(axes: Axes, count: int) -> None:
    axes.set(xlim=(0, 1), ylim=(count - 0.35, -0.75))
    axes.patch.set_alpha(0)
    axes.yaxis.set_visible(False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axes.tick_params(length=0)
    axes.grid(axis="x", color=_MUTED, alpha=0.3)
    axes.set_axisbelow(True)


def _draw_interval(axes: Axes, place: int, item: Interval, letters: int) -> None:
    rate, share = item.rate, item.rate.share or 0.0
    is_whole = not item.progress
    axes.hlines(place, rate.low, rate.high, colors=_LINE, linewidth=5, clip_on=False)
    axes.vlines(
        [rate.low, rate.high], place - 0.16, place + 0.16, colors=_LINE, linewidth=2, clip_on=False
    )
    filled = "full" if is_whole else "none"
    axes.plot([share], [place], "o", color=_POINT, markersize=9, fillstyle=filled, clip_on=False)
    figures = f"{share:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
    name = "".join(letter for letter in item.name if letter.isprintable())
    above = {"verticalalignment": "center", "parse_math": False}
    shown = name if len(name) <= letters else f"{name[: letters - 1]}…"
    axes.text(0, place - 0.45, shown, above)
    axes.text(1, place - 0.45, figures, {**above, "horizontalalignment": "right", "color": _MUTED})


def _write_svg(figure: Figure, says: str) -> str:
    out = io.StringIO()
    with warnings.catch_warnings():
        # Of letters that its own font lacks: the page's has them.
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # Its rules would be those of the whole page, and its names are not read.
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r'(width|height)="(\d+)pt"', r'\1="\2"', text)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = text.replace("'DejaVu Sans'", "system-ui, 'DejaVu Sans', sans-serif")
    for colour, name in _COLOURS.items():
        text = text.replace(colour, f"var({name})")
    return text.replace("<svg ", f'<svg class="drawn" role="img" aria-label="{says}" ', 1)
