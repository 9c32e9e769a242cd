"""Keeping what the solver answers while a stage is built, so that a run that is cut off goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version as installed
from pathlib import Path

from sopforge.proof.solving.kept_answers import KeptAnswers, use_kept_answers
from sopforge.store.sealed_answers import SealedAnswers
from sopforge.store.versions import DomainStore


@contextmanager
def keep_answers(domain: DomainStore) -> Iterator[None]:
    """Keep the solver's answers in the domain, also where the work is broken off.

    They count for the same program, solver and subject alone.
    """
    opened: list[SealedAnswers] = []

    def open_answers(subject: str) -> KeptAnswers:
        whole = "\0".join([_digest_program(), installed("z3-solver"), subject])
        opened.append(SealedAnswers(domain.objects, domain.name, whole))
        return opened[-1]

    is_done = False
    try:
        with use_kept_answers(open_answers):
            yield
        is_done = True
    finally:
        for answers in opened:
            answers.close(is_done=is_done)


@cache
def _digest_program() -> str:
    """Return the digest of the program: any part of it may change what a question means."""
    home = Path(__file__).parents[3]
    digest = sha256()
    for path in sorted(home.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(home)} {len(content)}\n".encode() + content)
    return digest.hexdigest()
