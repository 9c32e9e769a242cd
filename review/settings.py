"""How the review app is served: where, for whom, and within which limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from sopforge.errors import Fault, MaterialError

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = (LOOPBACK, "localhost", "::1", "[::1]")
LARGEST_BODY = 8_000_000
"""Bytes of a request: more than any file that is edited or handed in."""
LARGEST_ESCAPED = 1_100_000
"""Bytes of a form without files, which a text that may be longer is not sent by."""
LONGEST_COMMENT = 20_000
"""Characters of what a person says with a decision, or adds to a brief."""


@dataclass(frozen=True)
class Settings:
    """How the app is served.

    ``public_url`` is the address that reviewers open, where it is not the loopback one.
    ``identity_header`` is the header in which a reverse proxy at one of ``proxies`` says who asks.
    ``signers_file`` has the allowed signers by whom decisions are verified, if not the store's own.
    What waits for ``remind_after`` is overdue: ``remind_url`` or ``remind_command`` is notified.
    """

    users_file: Path
    host: str = LOOPBACK
    port: int = 8321
    public_url: str = ""
    identity_header: str = ""
    proxies: tuple[str, ...] = (f"{LOOPBACK}/32", "::1/128")
    session_hours: int = 12
    runs_at_once: int = 1
    remind_after: timedelta | None = None
    remind_url: str = field(default="", repr=False)
    remind_command: tuple[str, ...] = field(default=(), repr=False)
    signers_file: Path | None = None

    @cached_property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the app."""
        return is_loopback(self.host)

    @property
    def is_private(self) -> bool:
        """Whether nobody but people at this machine is meant to reach the app."""
        name = urlsplit(self.public_url).hostname or ""
        is_public = bool(self.public_url) and not is_loopback(name)
        return self.is_loopback and not is_public and not self.identity_header

    @property
    def is_https(self) -> bool:
        """Whether reviewers reach the app over an encrypted connection."""
        return self.public_url.startswith("https://")

    @property
    def address(self) -> str:
        """The address to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def allowed_hosts(self) -> list[str]:
        """The host names under which the app answers: a page elsewhere cannot rebind its own."""
        public = urlsplit(self.public_url).hostname
        names = (*LOOPBACK_NAMES, self.host, *([public] if public else []))
        return list(dict.fromkeys(name.lower() for name in names))

    def with_proxies(self, networks: Sequence[str]) -> Settings:
        """Return the settings with other networks of proxies, if any are named.

        Raises:
            MaterialError: one is not a network.
        """
        for network in networks:
            try:
                ip_network(network, strict=False)
            except ValueError as cause:
                hint = "write an address, or a network such as 10.0.0.0/8"
                fault = Fault("review-address", f"'{network}' is not a network", "--proxy", hint)
                raise MaterialError(fault) from cause
        return replace(self, proxies=tuple(networks)) if networks else self

    def is_proxy(self, address: str) -> bool:
        """Return whether a request from an address may say who asks."""
        if not self.identity_header:
            return False
        try:
            there = ip_address(address)
        except ValueError:
            return False
        return any(there in ip_network(proxy, strict=False) for proxy in self.proxies)


def is_loopback(host: str) -> bool:
    """Return whether an address is one of this machine alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
