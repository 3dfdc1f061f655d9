"""The only way out of a sandbox that may use the network: a proxy that connects to public addresses alone.

The sandbox has a network of its own, in which nothing is reached. Before its command starts, a listener of that
network is handed out to this process, which answers there and connects from here. A name is resolved once, and what
was checked is what is connected to. Like its supervisor it imports nothing of the product.
"""

import contextlib
import encodings.idna  # noqa: F401  (names need it, and later the interpreter may be out of reach)
import ipaddress
import select
import socket
import threading
from urllib.parse import urlsplit

_PORT = 3128
PROXY = f"127.0.0.1:{_PORT}"  # in the network of the sandbox
HANDED_OVER = 3  # the descriptor by which the listener comes out
# Runs inside, before the command, which it then becomes.
STARTER = f"""
import os, signal, socket, sys
with socket.socket(fileno={HANDED_OVER}) as line, socket.create_server(("127.0.0.1", {_PORT})) as listener:
    socket.send_fds(line, [b"."], [listener.fileno()])
for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(ignored, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
_LONGEST_HEAD = 32_768
_CONNECTIONS = 64
_HEAD_SECONDS, _CONNECT_SECONDS, _IDLE_SECONDS = 30, 15, 120
_CHUNK = 65_536
_UNICAST = ipaddress.ip_network("2000::/3")
_WRAPPED = [ipaddress.ip_network(network) for network in ("2001::/32", "2002::/16")]  # of addresses of the old kind
_HOP = (b"proxy-", b"connection:", b"keep-alive:")


def serve_proxy(line: socket.socket) -> None:
    """Answers whoever asks by the listener that comes along the line; ends with its process."""
    _, (descriptor, *_), _, _ = socket.recv_fds(line, 1, 1)
    line.close()
    places = threading.Semaphore(_CONNECTIONS)
    with socket.socket(fileno=descriptor) as listener:
        while True:
            places.acquire()
            asker, _ = listener.accept()
            threading.Thread(target=_answer, args=(asker, places), daemon=True).start()


def _answer(asker: socket.socket, places: threading.Semaphore) -> None:
    try:
        with contextlib.suppress(OSError), asker:
            asker.settimeout(_HEAD_SECONDS)
            head, rest = _read_head(asker)
            try:
                target, first = _read_request(head)
            except (ValueError, IndexError):
                _refuse(asker, "400 Bad Request", "This is no request to a proxy.")
            else:
                _pass_on(asker, target, first, rest)
    finally:
        places.release()


def _pass_on(asker: socket.socket, target: tuple[str, int], first: bytes, rest: bytes) -> None:
    try:
        other = _connect(*target)
    except PermissionError:
        _refuse(asker, "403 Forbidden", "Only public addresses are reached from here.")
        return
    except (OSError, ValueError):  # also of a name that is none
        _refuse(asker, "502 Bad Gateway", "The address does not answer.")
        return
    with other:
        if first:
            other.sendall(first + rest)
        else:
            asker.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            other.sendall(rest)
        _relay(asker, other)


def _connect(host: str, port: int) -> socket.socket:
    """Resolved once: connected to is the address that was checked, whatever the name means a moment later."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for _, _, _, _, address in found]
    public = [address for address in addresses if is_public(address) and not _is_own(address, port)]
    if not public:
        raise PermissionError
    return socket.create_connection((public[0], port), _CONNECT_SECONDS)


def _read_head(asker: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        more = asker.recv(_CHUNK)
        if not more or len(data) > _LONGEST_HEAD:
            return b"", b""
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def _read_request(head: bytes) -> tuple[tuple[str, int], bytes]:
    """Where to, and what is said there first: nothing for `CONNECT`, else the request as a server expects it."""
    start, *fields = head.split(b"\r\n")
    method, address, version = start.decode("ascii").split(" ")
    is_tunnel = method == "CONNECT"
    parts = urlsplit(f"//{address}" if is_tunnel else address)
    if not parts.hostname or parts.scheme != ("" if is_tunnel else "http"):
        raise ValueError
    if is_tunnel:
        return (parts.hostname, parts.port or 443), b""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept = [field for field in fields if not field.lower().startswith(_HOP)]
    lines = [f"{method} {path} {version}".encode(), *kept, b"Connection: close"]
    return (parts.hostname, parts.port or 80), b"\r\n".join(lines) + b"\r\n\r\n"


def is_public(address: str) -> bool:
    """Whether it belongs to the world: not to this computer, its neighbours, or whoever an address wraps."""
    if "%" in address:
        return False
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found not in _UNICAST or any(found in network for network in _WRAPPED):
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def _is_own(address: str, port: int) -> bool:
    """A public address may be this computer's: then it is reached from that same address. Nothing is sent."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((address, port or 1))
        return bool(probe.getsockname()[0] == address)
    return False


def _refuse(asker: socket.socket, status: str, why: str) -> None:
    body = why.encode() + b"\n"
    asker.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)


def _relay(one: socket.socket, other: socket.socket) -> None:
    """Until both have said all, or nobody says anything for long."""
    open_ends = {one.fileno(): (one, other), other.fileno(): (other, one)}
    for end in (one, other):
        end.settimeout(_IDLE_SECONDS)
    while open_ends:
        ready, _, _ = select.select(list(open_ends), [], [], _IDLE_SECONDS)
        if not ready:
            return
        for number in ready:
            reader, writer = open_ends[number]
            data = reader.recv(_CHUNK)
            if data:
                writer.sendall(data)
            else:
                del open_ends[number]
                with contextlib.suppress(OSError):
                    writer.shutdown(socket.SHUT_WR)
