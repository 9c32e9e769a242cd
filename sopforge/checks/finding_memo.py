"""What checks found, kept with what they read: equal files are not examined twice.

The levels of a domain have most files in common, and the plain level has all of those of the
stages before. A check that read the same texts finds the same, for it sees nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sopforge.checks.check import Check
from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.workspace import DOMAIN, Workspace, parse_model


class FindingMemo:
    """The findings of checks of workspaces of one brief, for as long as a process builds it.

    It is kept in no store: whoever verifies a package examines all of it anew.

    >>> class NamesShort:
    ...     name = "names-short"
    ...     def examine(self, workspace):
    ...         print("reads", workspace.files["a"])
    ...         return []
    >>> memo = FindingMemo(brief=None)
    >>> memo.examine(NamesShort(), Workspace(None, {"a": "1", "b": "2"}))
    reads 1
    []
    >>> memo.examine(NamesShort(), Workspace(None, {"a": "1", "b": "3"}))
    []
    """

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self._examined: dict[str, list[_Examined]] = {}

    def examine(self, check: Check, workspace: Workspace) -> list[Finding]:
        """Return what a check finds in a workspace of the brief.

        Raises:
            ValueError: the workspace is of another brief, which the check may have read.
        """
        if workspace.brief is not self.brief:
            raise ValueError("the workspace is of another brief")
        known = self._examined.setdefault(check.name, [])
        for examined in known:
            if examined.has_read_same(workspace):
                return list(examined.findings)
        watched = _WatchedFiles(workspace.files)
        findings = check.examine(_WatchedWorkspace(workspace.brief, watched))
        known.append(_Examined(watched.read, watched.names, watched.model, tuple(findings)))
        return findings


@dataclass(frozen=True, slots=True)
class _Examined:
    """What a check found, with each text that it read, and all names where it looked at them.

    ``model`` is that of the document where the check asked for it, however the document is laid
    out: a level's is written anew.
    """

    read: Mapping[str, str | None]
    names: tuple[str, ...] | None
    model: DomainModel | None
    findings: tuple[Finding, ...]

    def has_read_same(self, workspace: Workspace) -> bool:
        files = workspace.files
        if self.names is not None and self.names != tuple(files):
            return False
        if any(files.get(name) != text for name, text in self.read.items()):
            return False
        return self.model is None or (DOMAIN in files and self.model == workspace.model)


class _WatchedWorkspace(Workspace):
    """A workspace whose files note that its model is read."""

    @property
    def model(self) -> DomainModel:
        files = self.files
        # What a check makes of the workspace holds plain files, all of which were read for it.
        return files.read_model() if isinstance(files, _WatchedFiles) else super().model


@dataclass(slots=True)
class _WatchedFiles(Mapping[str, str]):
    """The files of a workspace, which notes what is read of them."""

    files: Mapping[str, str]
    read: dict[str, str | None] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    model: DomainModel | None = None

    def read_model(self) -> DomainModel:
        self.model = parse_model(self.files[DOMAIN])
        return self.model

    def __getitem__(self, name: str) -> str:
        # Noted before a KeyError: that a file is not there is read as well.
        self.read[name] = self.files.get(name)
        return self.files[name]

    def __iter__(self) -> Iterator[str]:
        self.names = tuple(self.files)
        return iter(self.names)

    def __len__(self) -> int:
        return len(list(iter(self)))
