"""The commands that are disturbed, each with the commands before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

DOMAIN = "refund"
Command: TypeAlias = tuple[str, ...]

GENERATE = ("generate", "{brief}")
GENERATE_ALL = ("generate", "{brief}", "--approve-clean")
GENERATE_TWO = ("generate", "{two}")
APPROVE = ("approve", DOMAIN, "schema", "--by", "ada")
APPROVE_SECOND = ("approve", DOMAIN, "schema", "--by", "bob")
WITHDRAW = ("withdraw", DOMAIN, "schema", "--by", "ada", "--reason", "Too early.")
REJECT = ("reject", DOMAIN, "schema", "--by", "ada")
EDIT = ("edit", DOMAIN, "schema", "--by", "ada", "--from", "{edited}")
CONTEXT = ("regenerate", DOMAIN, "--context", "Pets travel free of charge.")
PATCH = ("regenerate", DOMAIN, "--model-patch", "{patch}", "--approve-clean")
PUBLISH = ("publish", DOMAIN)


@dataclass(frozen=True)
class Scene:
    """A command, the commands before it, and whether it decides.

    Those that are long write the same things again and again: a sample of their writes will do. On
    S3, where they take seconds, the sample leaves out those that write as others do.
    """

    before: tuple[Command, ...]
    command: Command
    decides: bool = False
    is_long: bool = False
    is_as_others: bool = False


_ALL = (GENERATE_ALL,)
_PUBLISHED = (*_ALL, PUBLISH)
SCENES = {
    "generate": Scene((), GENERATE),
    "approve": Scene((GENERATE,), APPROVE, decides=True),
    "approve, first of two": Scene((GENERATE_TWO,), APPROVE, decides=True, is_as_others=True),
    "approve, second of two": Scene((GENERATE_TWO, APPROVE), APPROVE_SECOND, decides=True),
    "withdraw": Scene((GENERATE, APPROVE), WITHDRAW, decides=True),
    "generate after a withdrawal": Scene(
        (GENERATE, APPROVE, WITHDRAW), GENERATE, is_as_others=True
    ),
    "reject": Scene((GENERATE,), REJECT, decides=True, is_as_others=True),
    "edit": Scene((GENERATE,), EDIT, decides=True),
    "generate with an edit": Scene((GENERATE, EDIT), GENERATE),
    "generate, approving": Scene((), GENERATE_ALL, is_long=True),
    "publish": Scene(_ALL, PUBLISH, is_long=True),
    "regenerate with context": Scene(_ALL, CONTEXT, is_long=True),
    "regenerate with a patch": Scene(_PUBLISHED, PATCH, is_long=True, is_as_others=True),
    "publish again": Scene((*_PUBLISHED, PATCH), PUBLISH, is_long=True, is_as_others=True),
}
