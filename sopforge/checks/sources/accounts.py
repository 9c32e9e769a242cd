"""The account of a workspace's model, where its author gives one or has to."""

from __future__ import annotations

from sopforge.authors.sources.account import Account, build_account, read_remarks
from sopforge.workspace import DOMAIN, Workspace


def find_account(workspace: Workspace) -> Account | None:
    """Return the account of a model that was written from prose, or whose author names sources.

    A person who states the model in the brief need not say where it comes from.
    """
    remarks = read_remarks(workspace.files[DOMAIN], DOMAIN)
    if workspace.brief.built is not None and not remarks.sources:
        return None
    return build_account(workspace.brief, workspace.model, remarks)
