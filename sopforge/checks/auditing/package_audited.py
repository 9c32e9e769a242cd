"""Package: an audit that knows nothing of its model finds none of the defects of other packages."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sopforge.checks.auditing.audit import audit
from sopforge.checks.package.package_solved import PREFIX, collect_package_files
from sopforge.checks.spoiling import edit_json
from sopforge.findings import Finding
from sopforge.store.backends.atomic_files import fill_folder
from sopforge.workspace import Workspace


class PackageAudited:
    """The audit finds no problem in the answers, rows, tool descriptions, SOP or tools."""

    name = "package-audited"
    stage = "package"
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        with TemporaryDirectory(prefix="sopforge-audit-") as home:
            folder = Path(home) / "package"
            fill_folder(folder, collect_package_files(workspace))
            return list(audit(folder).findings)

    def spoil(self, workspace: Workspace) -> Workspace:
        """Have a tool require what nobody can know."""

        def require(specs: list[dict[str, Any]]) -> None:
            schema = specs[0]["toolSpec"]["inputSchema"]["json"]
            schema["properties"]["clerk_number"] = {"type": "string"}
            schema["required"].append("clerk_number")

        return edit_json(workspace, f"{PREFIX}toolspecs.json", require)


CHECK = PackageAudited()
