"""The user that a command line asks for: his mode, his manners and his words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.evaluation.packages.package import EvaluatedPackage
    from sopforge.evaluation.packages.with_user import PackageWithUser
    from sopforge.harness.users.manners import Asked
    from sopforge.harness.users.simulated import SimulatedUser
    from sopforge.harness.users.words import Words


@dataclass(frozen=True, slots=True)
class AskedUser:
    """A user that may join packages; None of his ``words`` stands for ours."""

    asked: Asked
    words: Words | None

    def join(self, package: EvaluatedPackage, tasks: Sequence[str]) -> PackageWithUser:
        """Return a package with the user of some tasks.

        Raises:
            MaterialError: it has no model to make scripts from, or words cannot be read back.
            PackageUnreadableError: the user of some task cannot know what he must say.
        """
        from sopforge.evaluation.packages.proved import ProvedPackage
        from sopforge.evaluation.packages.with_user import PackageWithUser
        from sopforge.harness.users.rehearsing import Rehearsal
        from sopforge.harness.users.simulated import make_user

        if not isinstance(package, ProvedPackage):
            message = (
                f"a simulated user needs a package with a model, but {package.shown.name} has none"
            )
            hint = "leave --user out for packages that SOPForge did not make"
            raise MaterialError(Fault("user-needs-model", message, "--user", hint))
        plain = package.plain
        if package.shown.tasks != plain.shown.tasks:
            message = "a simulated user states the plain tasks, but a dial changes them"
            hint = "use --dial user=2 with the other dials, instead of --user"
            raise MaterialError(Fault("user-needs-plain-tasks", message, "--user", hint))
        rehearsal = Rehearsal(plain.model, plain.gold, plain.environment)
        return PackageWithUser(package, make_user(rehearsal, self.asked, self.words, tasks))


def read_user(mode: str, manners: Sequence[str], words: Path | None, seed: int) -> AskedUser | None:
    """Return the user that is asked for, None where there is to be none.

    Raises:
        MaterialError: there is no such mode or manner, the words have faults, or there are manners
            and words of nobody.
    """
    if not mode:
        if manners or words:
            where = "--manner" if manners else "--user-words"
            message, hint = (
                "no simulated user is chosen",
                "add --user one-message or --user turn-by-turn",
            )
            raise MaterialError(Fault("user-not-asked", message, where, hint))
        return None
    from sopforge.harness.users.manners import read_asked
    from sopforge.harness.users.words import read_words

    asked = read_asked(mode, manners or ["plain"], seed)
    return AskedUser(asked, read_words(words) if words else None)


def make_served_user(asked: AskedUser, folder: Path, task: str) -> SimulatedUser:
    """Return the user of a package that is served, of one task or of all; raises as ``join``.

    His scripts are made here, from the grader's side, and handed over as data.
    """
    from sopforge.evaluation.packages.reading import read_evaluated

    package = read_evaluated(folder)
    chosen = [task] if task in package.shown.tasks else list(package.shown.tasks)
    return asked.join(package, chosen).user
