"""Objects under seals: what is read is what a command wrote, or it is refused.

Every store keeps its things in these, so that no command builds from, decides on or shows a file
that was changed, put there or taken away by hand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from threading import local

from sopforge.errors import Fault, StoreError
from sopforge.store.objects import ExistsError, Objects
from sopforge.store.places import S3
from sopforge.store.sealing.seals import (
    CHANGED,
    GONE,
    KEPT_WHOLE,
    UNKNOWN,
    WAITING,
    Contents,
    Seal,
    is_remakable,
    list_sealed_names,
    make_broken_seal_error,
    make_missing_seal_error,
    read_seal,
    seal_domain,
    split_sealed,
    write_seal,
)

_READERS = 10
"""A bucket's client keeps no more connections."""


class SealedObjects:
    """Named bytes of which those that decide something are compared with their domain's seal.

    Only who holds a domain's lock writes below its seal: whoever does not is given it for the one
    write.
    """

    def __init__(self, inner: Objects) -> None:
        self._inner = inner
        self._seen: dict[str, Seal] = {}
        # By thread: the lock that one thread holds lets no other write below the seal.
        self._mine = local()

    @property
    def place(self) -> str:
        return self._inner.place

    @property
    def plain(self) -> Objects:
        """The same objects as they are there, whatever the seal says."""
        return self._inner

    def read(self, name: str) -> bytes | None:
        data, found = self._inner.read(name), split_sealed(name)
        if found is None:
            return data
        domain, rest = found
        seal = self._get_seal(domain)
        # What another command writes at this moment may be read before its seal, or after it.
        while not _fits(seal, rest, data):
            before = data, seal
            data, seal = self._inner.read(name), self._load_seal(domain)
            if (data, seal) == before:
                raise self._make_seal_error(domain, rest, data, seal)
        return data

    def list_names(self, prefix: str) -> list[str]:
        return self._inner.list_names(prefix)

    def map_sizes(self, prefix: str) -> dict[str, int]:
        return self._inner.map_sizes(prefix)

    def list_children(self, prefix: str) -> list[str]:
        found = self._inner.list_children(prefix)
        domain, _, folder = prefix.partition("/")
        if folder not in KEPT_WHOLE:
            return found
        seal = self._get_seal(domain)
        while gone := _list_gone_names(seal, folder, found):
            before = found, seal
            found, seal = self._inner.list_children(prefix), self._load_seal(domain)
            if (found, seal) == before:
                raise make_broken_seal_error(self._inner, domain, gone, GONE)
        return found

    def create(self, name: str, data: bytes) -> None:
        with self._announce_writing({name: data}):
            self._inner.create(name, data)

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> None:
        with self._announce_writing({f"{prefix}/{name}": data for name, data in files.items()}):
            self._inner.create_all(prefix, files, last)

    def replace(self, name: str, data: bytes) -> None:
        with self._announce_writing({name: data}):
            self._inner.replace(name, data)

    def append(self, name: str, line: bytes) -> None:
        # What grows is under no seal: the log of calls is held by what the last run noted of it.
        self._inner.append(name, line)

    def delete(self, name: str) -> None:
        with self._announce_writing({name: None}):
            self._inner.delete(name)

    def drop_all(self, prefix: str, first: str) -> None:
        names = self._inner.list_names(f"{prefix}/")
        with self._announce_writing(dict.fromkeys(names)):
            self._inner.drop_all(prefix, first)

    def drop_left(self, prefix: str, *, is_trial: bool = False) -> dict[str, int]:
        return self._inner.drop_left(prefix, is_trial=is_trial)

    @contextmanager
    def hold_lock(self, name: str, *, wait: float | None = None) -> Iterator[None]:
        with self._inner.hold_lock(name, wait=wait):
            if "/" in name:
                yield  # The lock of something within a domain, which no seal is written under.
                return
            self._open_seals[name] = _Opened(self._inner, name)
            try:
                yield
            finally:
                self._open_seals.pop(name).close()

    def is_locked(self, name: str) -> bool:
        return self._inner.is_locked(name)

    def note_holder(self, name: str, note: str) -> None:
        self._inner.note_holder(name, note)

    def read_holder(self, name: str) -> str | None:
        return self._inner.read_holder(name)

    def find_faults(self, domain: str, *, is_made_again: bool = False) -> list[Fault]:
        """Return what of a domain does not fit its seal: changed, gone, or put there by hand.

        ``is_made_again`` leaves out what a run makes anew: what waits, and versions that are gone.
        """
        try:
            # Both, for what the seal knows may be gone, and what lies there may be known to no
            # seal.
            names = {*self._load_seal(domain).files, *list_sealed_names(self._inner, domain)}
        except StoreError as refused:
            return list(refused.faults)
        if is_made_again:
            names = {name for name in names if not self._is_remade_by_run(domain, name)}
        # A bucket answers each read late; files of a folder are there at once.
        with ThreadPoolExecutor(_READERS if self.place.startswith(S3) else 1) as readers:
            found = readers.map(lambda name: self._find_file_faults(domain, name), sorted(names))
            return [fault for faults in found for fault in faults]

    def forget_seals(self) -> None:
        """Forget the seals that were read, as whoever lives long must between two looks.

        A file that was put back would fit the seal of its time.
        """
        self._seen.clear()

    def seal_anew(self, domain: str) -> None:
        """Seal a domain anew, with all that is there as it is."""
        with self._inner.hold_lock(domain):
            seal_domain(self._inner, domain)
        self._seen.pop(domain, None)

    def _is_remade_by_run(self, domain: str, name: str) -> bool:
        """Return whether a run writes a file anew: what waits, and versions that are gone."""
        is_gone = is_remakable(name) and self._inner.read(f"{domain}/{name}") is None
        return is_gone or name == WAITING

    def _find_file_faults(self, domain: str, name: str) -> tuple[Fault, ...]:
        try:
            data = self.read(f"{domain}/{name}")
        except StoreError as refused:
            return refused.faults
        # Reading lets a version that is gone pass, for the next run makes it again as it was. Here
        # it is reported all the same.
        is_gone = data is None and self._get_seal(domain).must_be_there(name)
        return make_broken_seal_error(self._inner, domain, [name], GONE).faults if is_gone else ()

    @property
    def _open_seals(self) -> dict[str, _Opened]:
        """The seals of the domains whose locks this thread holds."""
        held: dict[str, _Opened] = self._mine.__dict__.setdefault("held", {})
        return held

    @contextmanager
    def _announce_writing(self, contents: Contents) -> Iterator[None]:
        """Announce what is about to be written of what is sealed, and settle it once it is."""
        sealed = {name: found for name in contents if (found := split_sealed(name))}
        if not sealed:
            yield
            return
        # One write stays within one domain, for there is no lock that covers two.
        (domain,) = {found[0] for found in sealed.values()}
        below = {found[1]: contents[name] for name, found in sealed.items()}
        lock = nullcontext() if domain in self._open_seals else self.hold_lock(domain)
        with lock, self._open_seals[domain].announce_writing(below):
            yield

    def _get_seal(self, domain: str) -> Seal:
        seen = None if domain in self._open_seals else self._seen.get(domain)
        return seen or self._load_seal(domain)

    def _load_seal(self, domain: str) -> Seal:
        held = self._open_seals.get(domain)
        # Who holds the lock knows more than the file: what was settled since is not yet kept.
        if held is not None:
            return held.seal
        # Without a seal, each file that belongs under one is a file that no command wrote.
        self._seen[domain] = read_seal(self._inner, domain) or Seal()
        return self._seen[domain]

    def _make_seal_error(
        self, domain: str, rest: str, data: bytes | None, seal: Seal
    ) -> StoreError:
        if not seal.files and read_seal(self._inner, domain) is None:
            return make_missing_seal_error(self._inner, domain)
        message = GONE if data is None else CHANGED if rest in seal.files else UNKNOWN
        return make_broken_seal_error(self._inner, domain, [rest], message)


class _Opened:
    """The seal of a domain whose lock is held, read when it is first asked for."""

    def __init__(self, objects: Objects, domain: str) -> None:
        self._objects = objects
        self._domain = domain
        self._kept: Seal | None = None
        self._now = Seal()

    @property
    def seal(self) -> Seal:
        if self._kept is None:
            found = read_seal(self._objects, self._domain)
            # To begin a new seal here would take whatever lies there for what commands wrote:
            # whoever removes the seal could then change everything.
            if found is None and list_sealed_names(self._objects, self._domain):
                raise make_missing_seal_error(self._objects, self._domain)
            self._kept = found or Seal()
            self._now = self._settle_what_is_there(self._kept)
        return self._now

    def _settle_what_is_there(self, seal: Seal) -> Seal:
        """Return a seal that requires what was announced, and is there.

        Whoever wrote it died before it was settled. What is not there stays announced: on S3, a
        request of the dead may still arrive.
        """
        found = {
            name: self._objects.read(f"{self._domain}/{name}")
            for name in seal.list_unsettled_names()
        }
        return seal.with_settled(
            {name: data for name, data in found.items() if seal.fits(name, data)}
        )

    @contextmanager
    def announce_writing(self, contents: Contents) -> Iterator[None]:
        """Announce contents, let them be written, and settle them; or withdraw what was not."""
        self._keep(self.seal.with_announced(contents))
        try:
            yield
        except ExistsError:
            # Another was first, so that nothing was written. After any other error something may
            # have been: then the announcement stays, and both contents fit.
            self._now = self._now.without_announced(contents)
            raise
        # Kept with the next announcement, or when the lock is let go: one write less each time.
        self._now = self._now.with_settled(contents)

    def close(self) -> None:
        """Keep what was settled since the last announcement."""
        if self._kept is not None:
            self._keep(self._now)

    def _keep(self, seal: Seal) -> None:
        self._now = seal
        if seal != self._kept:
            write_seal(self._objects, self._domain, seal)
            self._kept = seal


def _fits(seal: Seal, name: str, data: bytes | None) -> bool:
    return seal.fits(name, data) or (data is None and is_remakable(name))


def _list_gone_names(seal: Seal, folder: str, found: Collection[str]) -> list[str]:
    """Return the names below a folder of which a part is not among those found there."""
    start = f"{folder}/"
    return [
        name
        for name in seal.files
        if name.startswith(start)
        and name[len(start) :].partition("/")[0] not in found
        and seal.must_be_there(name)
    ]
