"""The variables that name proxies: which are faulty, and what is reached without a proxy.

The libraries that make requests read these variables, each at another time, and raise what no user
can act on. So they are checked before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, MutableMapping
from importlib.util import find_spec
from ipaddress import IPv6Address
from urllib.parse import urlsplit

from sopforge.errors import Fault, MaterialError

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
NO_PROXY = "NO_PROXY"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SCHEMES = ("http", "https", "socks5", "socks5h")
_LOGIN = re.compile(r"^([a-z0-9+.-]*://)?[^/]*@", re.IGNORECASE)


def refuse_faulty_proxies() -> None:
    """Refuse variables that no request could be made with.

    Raises:
        MaterialError: a proxy has no address or an unknown scheme, its library is not installed, or
            an exception from it is no host.
    """
    faults = [*_iterate_proxy_faults(), *_iterate_exception_faults()]
    if faults:
        raise MaterialError(*faults)


def skip_proxies_for_loopback(environment: MutableMapping[str, str]) -> None:
    """Have whoever reads these variables reach this machine itself without a proxy."""
    _, value = _find_variable(NO_PROXY, environment)
    entries = [entry for entry in map(str.strip, value.split(",")) if entry]
    lacking = [host for host in LOOPBACK if host not in entries]
    if "*" not in entries and lacking:
        # Both, for some programs read only one of them.
        for name in (NO_PROXY, NO_PROXY.lower()):
            environment[name] = ",".join([*entries, *lacking])


def _iterate_proxy_faults() -> Iterator[Fault]:
    for variable in PROXIES:
        name, value = _find_variable(variable, os.environ)
        if not value:
            continue
        shown = f"the proxy '{_LOGIN.sub(lambda found: found[1] or '', value)}'"
        scheme = value.partition("://")[0].lower() if "://" in value else "http"
        if scheme not in _SCHEMES:
            hint = f"begin the address with one of {', '.join(_SCHEMES)}; or unset the variable"
            yield Fault("proxy-unusable", f"{shown} has an unknown scheme, '{scheme}'", name, hint)
        elif not _has_address(value):
            hint = "write it as http://HOST:PORT, or unset the variable"
            yield Fault("proxy-unusable", f"{shown} names no host and port", name, hint)
        elif scheme.startswith("socks") and find_spec("socksio") is None:
            hint = "install it with: pip install socksio; or name an HTTP proxy"
            message = f"{shown} needs the library 'socksio', which is not installed"
            yield Fault("proxy-unusable", message, name, hint)


def _iterate_exception_faults() -> Iterator[Fault]:
    name, value = _find_variable(NO_PROXY, os.environ)
    for entry in map(str.strip, value.split(",")):
        if not _is_exception(entry):
            hint = (
                "write an IPv6 address without brackets and leave out ranges of them:"
                " localhost,127.0.0.1,::1,.example.com"
            )
            yield Fault("proxy-unusable", f"'{entry}' is no host that can be excepted", name, hint)


def _find_variable(name: str, environment: MutableMapping[str, str]) -> tuple[str, str]:
    """Return the name and value of a variable as libraries read it: in small letters, if it is so.

    Where both are there and alike, the usual name is returned.
    """
    value = environment.get(name.lower(), environment.get(name, ""))
    return name if environment.get(name, "") == value else name.lower(), value


def _has_address(proxy: str) -> bool:
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # no number for a port, or no address in brackets
        return False


def _is_exception(entry: str) -> bool:
    """Return whether an entry of NO_PROXY is one that all libraries can read."""
    if "://" in entry:
        return _has_address(entry)
    host, colon, port = entry.rpartition(":")
    if ":" not in host and "[" not in entry:
        return not colon or (bool(host) and port.isdecimal())
    try:
        IPv6Address(entry)
    except ValueError:
        return False
    return True
