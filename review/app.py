"""The review app: its pages, and what stands between them and whoever asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from review.access.body_limit import BodyLimit
from review.access.ended_sessions import EndedSessions
from review.access.guard import Guard
from review.access.security_headers import SecurityHeaders
from review.access.session_key import load_session_key
from review.access.users import UserFile
from review.desk import Desk
from review.reading.domain_index import DomainIndex
from review.reminding.reminders import Reminders, build_reminders
from review.routes import (
    answering,
    deciding,
    documents,
    domain,
    editing,
    inbox,
    login,
    regenerating,
    releases,
    stage,
    trying,
)
from review.runs.handing import Handing
from review.runs.local_runs import Continue, LocalRuns, Processes, Work
from review.runs.sweeping import Sweeps
from review.settings import LARGEST_BODY, Settings
from review.troubles import add_handlers, answer_too_large
from sopforge.pipeline.runs.continuing import Continuation
from sopforge.store.versions import Store

# Names of pages come before those of stages, which stand in the same place.
PARTS = (
    *(inbox, login, domain, releases, regenerating, answering, editing, deciding, trying),
    *(documents, stage),
)


def create_app(
    store: Store,
    settings: Settings,
    *,
    go_on: Continue | None = None,
    runs: LocalRuns | None = None,
    continuation: Continuation | None = None,
) -> FastAPI:
    """Return the app for a store.

    ``go_on`` has a domain taken on after a decision; where nothing is said, the ``runs`` do: by
    the ``continuation`` of a scheduler, else by a process on this machine.

    Raises:
        MaterialError: the users or the key of sessions cannot be read.
    """
    work: Work = Processes(store.place)
    if continuation is not None:
        work = Handing(store, continuation, work)
    runs = runs or LocalRuns(work, settings.runs_at_once)
    app = FastAPI(lifespan=_run_lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.reminders = build_reminders(store, settings)
    session_seconds = settings.session_hours * 3600
    app.state.guard = Guard(
        settings,
        UserFile(settings.users_file),
        EndedSessions(settings.users_file, session_seconds),
    )
    app.state.desk = Desk(
        store,
        runs,
        go_on or runs.go_on,
        DomainIndex(store),
        continuation=continuation,
        signers_file=settings.signers_file,
    )
    # The one added last is met first.
    app.add_middleware(
        SessionMiddleware,
        secret_key=load_session_key(settings.users_file),
        session_cookie=_name_cookie(settings),
        max_age=session_seconds,
        same_site="lax",
        https_only=settings.is_https,
    )
    app.add_middleware(BodyLimit, most=LARGEST_BODY, refuse=answer_too_large)
    app.add_middleware(
        TrustedHostMiddleware, allowed_hosts=settings.allowed_hosts, www_redirect=False
    )
    app.add_middleware(SecurityHeaders, is_https=settings.is_https)
    app.mount("/static", StaticFiles(directory=str(files("review") / "static")), name="static")
    for part in PARTS:
        app.include_router(part.router)
    add_handlers(app)
    return app


@asynccontextmanager
async def _run_lifespan(app: FastAPI) -> AsyncIterator[None]:
    desk: Desk = app.state.desk
    reminders: Reminders | None = app.state.reminders

    def sweep_and_remind() -> None:
        desk.sweep()
        if reminders is not None:
            reminders.remind()

    sweeps = Sweeps(sweep_and_remind)
    sweeps.start()
    yield
    sweeps.stop()
    desk.runs.close()
    desk.comparisons.close()


def _name_cookie(settings: Settings) -> str:
    """Return the name of the session's cookie; the prefix has browsers hold it to this host."""
    # On one machine, apps at other ports share cookies.
    return "__Host-sopforge" if settings.is_https else f"sopforge_{settings.port}"
