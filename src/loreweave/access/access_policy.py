"""Who may call: decided once from the settings, asked for every request.

A page of another site can point its own name at this server and then read it as its own. So the Host must be a name
this server is known by, in every mode. Addresses written as numbers cannot be pointed anywhere: they need no list.
"""

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from loreweave.errors import Forbidden
from loreweave.settings import Settings

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]]+)(:[0-9]{0,5})?")
_ADDRESS = re.compile(r"[0-9a-f:.]+")  # IPv6 as a setting names it, without brackets
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY = "*"


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """What the guard asks for."""

    tokens_required: bool
    loopback: bool  # bound where only this computer can reach it
    hosts: frozenset[str]  # names the Host may have; "*" allows all
    origins: frozenset[str]  # other sites that may call; "*" allows all
    open_on_loopback: bool  # no token is asked for, and nobody but this computer is let in

    def check_host(self, header: str | None) -> None:
        name = host_name(header or "")
        if name not in self.hosts and ANY not in self.hosts and (self.loopback or not _is_number(name)):
            message = "The Host of this request is no name of this server; LORE_ALLOWED_HOSTS adds one"
            raise Forbidden(message, field="Host")

    def check_origin(self, origin: str | None, host: str | None) -> None:
        if origin is not None and not is_own_origin(origin, host or "") and not self.allows_origin(origin):
            raise Forbidden("Pages of another origin may not call this server", field="Origin")

    def allows_origin(self, origin: str) -> bool:
        return ANY in self.origins or origin in self.origins


def access_policy(settings: Settings) -> AccessPolicy:
    loopback = is_loopback(settings.host)
    tokens = settings.auth == "required" or (settings.auth == "auto" and not loopback)
    names = LOOPBACK_NAMES | {host_name(settings.host)} | (frozenset() if loopback else _machine_names())
    return AccessPolicy(
        tokens_required=tokens,
        loopback=loopback,
        hosts=names | {ANY if host == ANY else host_name(host) for host in settings.allowed_hosts},
        origins=frozenset(settings.cors_origins),
        open_on_loopback=loopback and not tokens and not settings.allowed_hosts,
    )


def _machine_names() -> frozenset[str]:
    """What others in the network call this computer; looking up more of them could take its time."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"}) if short else frozenset()


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach an address bound to this host."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def host_name(header: str) -> str:
    """The name in a Host header or setting, without port and brackets; nothing when it is malformed."""
    header = header.strip().lower()
    found = _HOST.fullmatch(header)
    if found:
        return found["name"].strip("[]")
    return header if header.count(":") > 1 and _ADDRESS.fullmatch(header) else ""


def is_own_origin(origin: str, host: str) -> bool:
    """Whether a page served under this Host sent it; the scheme may be that of a proxy in front."""
    try:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https"):
            return False
        standard = {"http": 80, "https": 443}[parts.scheme]
        asked = urlsplit(f"{parts.scheme}://{host.strip().lower()}")
        same_port = (parts.port or standard) == (asked.port or standard)
    except ValueError:
        return False
    return bool(parts.hostname) and parts.hostname == asked.hostname and same_port
