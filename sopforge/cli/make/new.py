"""``sopforge new``: a brief to start from, which is whole as it stands."""

from __future__ import annotations

import shlex
from importlib import resources
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from sopforge.cli.options import require_domain_name
from sopforge.cli.out_files import write_out
from sopforge.cli.output import make_console, say
from sopforge.errors import Fault, MaterialError

SUBJECT = "expense_claims"
"""What both starters are about, and called where nothing is said."""


def new(
    domain: Annotated[str, typer.Argument(help="Name of the new domain.")] = SUBJECT,
    out: Annotated[
        Path | None, typer.Option(help="File to write [default: briefs/DOMAIN.yaml].")
    ] = None,
    prose: Annotated[
        bool,
        typer.Option(
            "--prose", help="Write a brief in prose; a language model writes the rules from it."
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a small, complete brief to start from, with an explanation of each part."""
    name = require_domain_name(domain)
    path = out or Path("briefs") / f"{name}.yaml"
    if not force:
        _refuse_existing(path)
    write_out(path, render_starter("prose" if prose else "model", name))
    screen, file = make_console(), shlex.quote(str(path))
    say(screen, f"wrote {path}: it is complete; replace its parts with your own. Next:")
    for what, command in (_PROSE_STEPS if prose else _STEPS).items():
        say(screen, f"  {what + ':':<8} {command.format(file=file, domain=name)}")


_STEPS = {
    "check": "sopforge check {file}",
    "make": "sopforge generate {file} --approve-clean",
    "publish": "sopforge publish {domain}",
}
_PROSE_STEPS = {
    "look": "sopforge plan --preview {file}",
    "make": "sopforge generate {file}",
    "publish": "sopforge publish {domain}",
}


def render_starter(kind: str, domain: str) -> str:
    """Return a starter, ``model`` or ``prose``, under a domain's name."""
    text = (resources.files("sopforge.cli.starters") / f"{kind}.yaml").read_text(encoding="utf-8")
    title = " ".join(word.capitalize() for word in domain.split("_") if word)
    return Template(text).substitute(domain=domain, title=title)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        hint = "name another file with --out, or replace it with --force"
        raise MaterialError(Fault("brief-exists", f"the file '{path}' already exists", "", hint))
