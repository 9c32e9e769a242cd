"""How one of two readings of a brief is shown: what it decides, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.output import Parts

if TYPE_CHECKING:
    from sopforge.proof.comparing.asking.questions import View


def lay_out_view(name: str, view: View) -> Parts:
    """Yield what a reading decides, after the ``name`` under which it can be chosen."""
    decided = "; ".join(f"{label}: {value}" for label, value in view.decides.items())
    yield Text(f"   {name}  {decided}", "cyan")
    for reason in view.because:
        yield f"      because: {reason}"
    for sentence in view.sources:
        yield f'      the brief: "{sentence}"'
