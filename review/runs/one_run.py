"""One run in a process of its own: ``python -m review.runs.one_run go-on|publish DOMAIN STORE``.

It exits with 0 however far the domain came, and says on standard error why it came nowhere.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sopforge.errors import SopForgeError
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.runs.continuing import continue_here
from sopforge.store.opening import open_store

GO_ON, PUBLISH = "go-on", "publish"
_FAILED = 2


def main(words: Sequence[str]) -> int:
    """Do what the words ask for, and return the exit code."""
    task, domain, place = words
    try:
        store = open_store(place)
        if task == PUBLISH:
            publish(store, load_latest_brief(store.get_domain(domain)))
        else:
            continue_here(store.get_domain(domain))
    except SopForgeError as refused:
        sys.stderr.write("".join(f"{fault}\n" for fault in refused.faults))
        return _FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
