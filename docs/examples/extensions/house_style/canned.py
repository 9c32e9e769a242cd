"""Gives every question one answer: the text of the file that CANNED_ANSWER names."""

from __future__ import annotations

import os
from pathlib import Path

from sopforge.authors.providers.adapters.failures import make_no_key_error
from sopforge.authors.providers.completion import Completion, Request, StopReason
from sopforge.authors.providers.settings import Settings


class CannedProvider:
    """Reads its answer anew each time; a missing file is no outage that would pass."""

    name = "canned"
    family = "canned"
    endpoint = "canned"

    def complete(self, request: Request) -> Completion:
        path = Path(os.environ.get("CANNED_ANSWER", ""))
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise make_no_key_error(self.name, "set CANNED_ANSWER to a file") from error
        return Completion(text, StopReason.END, usage=None, model=request.model)


def build_canned_provider(settings: Settings) -> CannedProvider:  # noqa: ARG001 - it needs none
    """Return the provider."""
    return CannedProvider()
