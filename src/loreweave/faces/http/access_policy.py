"""Who may call: decided once from the settings, asked for every request.

Open on loopback means: whoever reaches the address may call. So the Host must be a loopback name (a page
of another site that points its own name at 127.0.0.1 is turned away) and the Origin ours or an allowed one.
"""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from loreweave.errors import Forbidden
from loreweave.settings import Settings

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]]+)(:[0-9]{0,5})?")
_ADDRESS = re.compile(r"[0-9a-f:.]+")  # IPv6 as a setting names it, without brackets
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """What the guard asks for."""

    tokens_required: bool
    hosts: frozenset[str] | None  # names the Host may have; None: any
    origins: frozenset[str]  # other sites that may call; "*" allows all

    @property
    def open_on_loopback(self) -> bool:
        """No token is asked for, and nobody but this computer can reach the address."""
        return not self.tokens_required and self.hosts is not None

    def check_host(self, header: str | None) -> None:
        if self.hosts is not None and host_name(header or "") not in self.hosts:
            raise Forbidden("The Host of this request is not an address of this server", field="Host")

    def check_origin(self, origin: str | None, host: str | None) -> None:
        if origin is not None and not is_own_origin(origin, host or "") and not self.allows_origin(origin):
            raise Forbidden("Pages of another origin may not call this server", field="Origin")

    def allows_origin(self, origin: str) -> bool:
        return "*" in self.origins or origin in self.origins


def access_policy(settings: Settings) -> AccessPolicy:
    loopback = is_loopback(settings.host)
    tokens = settings.auth == "required" or (settings.auth == "auto" and not loopback)
    names = LOOPBACK_NAMES | {host_name(settings.host)} if loopback and not tokens else None
    return AccessPolicy(tokens_required=tokens, hosts=names, origins=frozenset(settings.cors_origins))


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach an address bound to this host."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


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
