"""The inbox: what waits in all domains, since when, and for how many more persons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from review.access.guard import get_guard
from review.access.visitors import Somebody, Visitor
from review.desk import AtDesk
from review.reading.waiting_stages import get_order
from review.reminding.overdue import find_overdue
from review.rendering import render
from sopforge.store.overview import Overview, Phase
from sopforge.workspace import STAGE_NAMES

router = APIRouter()
PAGE_SIZE = 50
_LONGEST_QUERY = 80
_FOR_ME = "me"
_ORDER = {phase: place for place, phase in enumerate(Phase)}
Keep: TypeAlias = Callable[[Overview], bool]


@dataclass(frozen=True, slots=True)
class Search:
    """What a person looks for."""

    text: str = ""
    phase: str = ""
    stage: str = ""
    page: int = 1

    def make_address(self, page: int) -> str:
        """Return the address of a page of what is found."""
        asked = {"q": self.text, "phase": self.phase, "stage": self.stage, "page": str(page)}
        return "/?" + urlencode({name: value for name, value in asked.items() if value})

    def find_rows(self, rows: Iterable[Overview], name: str) -> list[Overview]:
        """Return the rows that are looked for by somebody, what waits longest first."""
        keeps = (self._filter_by_text(), self._filter_by_phase(name), self._filter_by_stage())
        kept = [row for row in rows if all(keep(row) for keep in keeps)]
        return sorted(kept, key=lambda row: (_ORDER[row.phase], get_order(row)))

    def _filter_by_text(self) -> Keep:
        wanted = self.text.lower()
        return lambda row: wanted in row.domain or wanted in row.title.lower()

    def _filter_by_phase(self, name: str) -> Keep:
        if self.phase == _FOR_ME:
            return lambda row: row.phase is Phase.WAITING and name not in row.approved_by
        return lambda row: self.phase in {"", row.phase.name.lower()}

    def _filter_by_stage(self) -> Keep:
        return lambda row: self.stage in {"", row.stage}


@router.get("/")
def show_inbox(request: Request, visitor: Somebody, desk: AtDesk) -> Response:
    """Show the inbox, or its rows alone to a page that looks again."""
    search = _parse_search(request.query_params)
    listing = desk.index.list_domains()
    found = search.find_rows(listing.rows, visitor.name)
    pages = max(1, -(-len(found) // PAGE_SIZE))
    page = min(search.page, pages)
    is_again = "hx-request" in request.headers
    after = get_guard(request).settings.remind_after
    late = find_overdue(found, after, datetime.now(UTC), "") if after else []
    return render(
        request,
        "desk/inbox_rows.html.j2" if is_again else "desk/inbox.html.j2",
        search=search,
        listing=listing,
        rows=found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        count=len(found),
        mine=sum(waits_for(visitor, row) for row in listing.rows),
        page=page,
        pages=pages,
        phases=list(Phase),
        stages=STAGE_NAMES,
        runs=desk.runs,
        overdue={item.row.domain for item in late},
    )


def waits_for(visitor: Visitor, row: Overview) -> bool:
    """Return whether a domain waits for the decision of somebody who may decide."""
    is_open = row.phase is Phase.WAITING and visitor.name not in row.approved_by
    return is_open and visitor.may_decide


def _parse_search(query: Mapping[str, str]) -> Search:
    page = query.get("page", "1")
    return Search(
        query.get("q", "")[:_LONGEST_QUERY].strip(),
        query.get("phase", ""),
        query.get("stage", ""),
        max(1, int(page)) if page.isdecimal() and len(page) < 7 else 1,  # noqa: PLR2004
    )
