"""A view that is drawn again and again, on a terminal that can show one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def can_show(screen: Console) -> bool:
    """Return whether there is a terminal that can show a view."""
    return screen.is_terminal and not screen.is_dumb_terminal


@contextmanager
def show_live_view(
    screen: Console, view: Callable[[], RenderableType], *, is_ticking: bool = True
) -> Iterator[Callable[[], None]]:
    """Show a view as long as this lasts, where there is a terminal that can; yields what draws it.

    One that ``is_ticking`` is drawn again all the time, by a thread: beside it, work is not shared
    out among processes.
    """
    if not can_show(screen):
        yield lambda: None
        return
    from rich.live import Live

    shown = Live(
        console=screen,
        get_renderable=view,
        auto_refresh=is_ticking,
        refresh_per_second=4,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with shown:
        yield shown.refresh
