"""The account of a workspace's model, where its author gives one or has to."""

from __future__ import annotations

from sopforge.domain.documents.schema import DomainDocument, RemarksDocument
from sopforge.domain.documents.validation import validate
from sopforge.domain.documents.yaml_documents import read_document
from sopforge.sources.account import Account, build_account
from sopforge.workspace import DOMAIN, Workspace


def read_remarks(workspace: Workspace) -> RemarksDocument:
    """Return what the author of a model says of it."""
    return validate(read_document(workspace.files[DOMAIN], DOMAIN), DomainDocument).remarks


def find_account(workspace: Workspace) -> Account | None:
    """Return the account of a model that was written from prose, or whose author names sources.

    A person who states the model in the brief need not say where it comes from.
    """
    remarks = read_remarks(workspace)
    if workspace.brief.built is not None and not remarks.sources:
        return None
    return build_account(workspace.brief, workspace.model, remarks)
