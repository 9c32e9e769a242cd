"""Options that several commands share."""

from __future__ import annotations

import getpass
import re
from pathlib import Path
from typing import Annotated

import typer

from sopforge.errors import Fault, MaterialError

Store = Annotated[
    Path,
    typer.Option("--store", envvar="SOPFORGE_STORE", help="Folder of the store."),
]
DEFAULT_STORE = Path("generated")
Domain = Annotated[str, typer.Argument(help="Name of the domain, as in its brief.")]
StageName = Annotated[str, typer.Argument(help="The stage that waits at its gate.")]
Digest = Annotated[
    str,
    typer.Option("--digest", help="Digest of the version you looked at, or its first characters."),
]
By = Annotated[
    str,
    typer.Option("--by", envvar="SOPFORGE_USER", help="Who decides [default: your login name]."),
]


def person(by: str) -> str:
    """Return who decides: the given name, else the login name."""
    return by or getpass.getuser()


def domain_name(text: str) -> str:
    """Return a domain's name; raises ``MaterialError`` for what cannot be one, such as a path."""
    if re.fullmatch(r"[a-z][a-z0-9_]{0,47}", text):
        return text
    hint = "use small letters, digits and _, as in the brief's 'domain'"
    raise MaterialError(Fault("domain-name", f"{text!r} is no name of a domain", "", hint))
