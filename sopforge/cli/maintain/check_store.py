"""``sopforge store check``: is everything in a store still what was written?"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sopforge.cli.decide.confirming import require_yes
from sopforge.cli.options import (
    DEFAULT_STORE,
    AnyDomain,
    StorePlace,
    describe_empty_store,
    require_domain,
)
from sopforge.cli.output import Parts, Result, print_faults
from sopforge.cli.signing import SignersFile, load_signers
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopforge.store.versions import Store

_ANSWERS = ".completions"
"""What stands for a domain where answers of language models are damaged, which belong to none."""


def check_store(
    domain: AnyDomain = None,
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Accept the domain as it is now, and write a new seal."),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Accept without asking for confirmation.")
    ] = False,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Check everything in the store against its seals, digests and signatures.

    Without --accept, the command changes nothing. Unsigned decisions do not count as damage.
    """
    from sopforge.pipeline.upkeep.damage import find_damage, find_damaged_answers
    from sopforge.store.opening import open_store

    opened = open_store(place)
    names = opened.list_domains() if domain is None else [require_domain(opened, domain).name]
    if accept:
        _accept(opened, domain, is_said=yes)
    signers = load_signers(opened, allowed_signers)
    found = {name: find_damage(opened.get_domain(name), signers) for name in names}
    answers = find_damaged_answers(opened) if domain is None else []
    found |= {_ANSWERS: answers} if answers else {}
    record = {name: [asdict(fault) for fault in faults] for name, faults in found.items()}
    return Result(record, _lay_out(opened, found), has_findings=any(found.values()))


def _lay_out(store: Store, found: Mapping[str, Sequence[Fault]]) -> Parts:
    for name, faults in found.items():
        count = f"{len(faults)} item{'s' * (len(faults) != 1)} damaged" if faults else "intact"
        yield Text(f"{name}: {count}", "red" if faults else "")
        print_faults(faults)
    if not found:
        yield describe_empty_store(store)


def _accept(store: Store, domain: str | None, *, is_said: bool) -> None:
    """Seal a domain as it is, once a person has seen what does not fit its seal, and says so."""
    if domain is None:
        hint = "accept them one by one: sopforge store check DOMAIN --accept"
        message = "you can accept only one domain at a time"
        raise MaterialError(Fault("domain-not-named", message, "--accept", hint))
    from sopforge.pipeline.upkeep.damage import accept, find_unsealed

    there = store.get_domain(domain)
    faults = find_unsealed(there)
    if not faults:
        return
    print_faults(faults)
    if not is_said:
        hint = "check each item, then add --yes"
        require_yes(
            f"Accept {domain} as it is?", "accepting", hint, is_quiet=False, done="accepted"
        )
    accept(there)
