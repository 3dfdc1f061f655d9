"""Repositories as sources, fetched from a real server on loopback that behaves as badly as servers can."""

import datetime
import ipaddress
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pace import PATIENCE, within

from loreweave.errors import InvalidInput, NotFound, TooLarge, Unavailable
from loreweave.seams.archives.github import (
    check_branch,
    fetch_repository,
    parse_repository,
    redirect_target,
)

Page = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Website:
    """A server on loopback: what it was asked, and what it answers for each path."""

    address: str
    pages: dict[str, Page] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)

    def fetch(self, reference: str = "HEAD", max_bytes: int = 1_000, deadline: float = PATIENCE) -> bytes:
        template = self.address + "/{owner}/{repo}/archive/{ref}.zip"
        return fetch_repository("o", "r", reference, archive_url=template, max_bytes=max_bytes, deadline=deadline)


def serve(website: Website, context: ssl.SSLContext | None = None) -> Iterator[Website]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            website.requests.append((self.path, dict(self.headers)))
            self.close_connection = True
            try:
                website.pages.get(self.path, status(404))(self)
                self.wfile.flush()
            except OSError:
                website.hung_up.set()

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:  # a refused handshake is what some tests want
            website.hung_up.set()

    with Server(("127.0.0.1", 0), Handler) as server:
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        website.address = f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield website
        finally:
            website.closing.set()
            server.shutdown()
            thread.join()


@pytest.fixture
def website() -> Iterator[Website]:
    yield from serve(Website(""))


def status(code: int, **headers: str) -> Page:
    return answer(b"", code, **headers)


def answer(body: bytes, code: int = 200, **headers: str) -> Page:
    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in ({"Content_Length": str(len(body))} | headers).items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return page


ARCHIVE, WARM = "/o/r/archive/HEAD.zip", "/o/r/archive/warm.zip"


@pytest.mark.holds("graph.sources.github.default-ref")
def test_the_archive_is_fetched_under_the_configured_address(website: Website) -> None:
    website.pages = {ARCHIVE: answer(b"of head"), "/o/r/archive/feature/x.zip": answer(b"of a branch")}
    assert website.fetch(check_branch(None)) == b"of head"
    assert website.fetch(check_branch("feature/x")) == b"of a branch"
    headers = website.requests[0][1]
    assert headers["User-Agent"].startswith("loreweave")
    assert headers["Accept-Encoding"] == "identity"
    assert not {"Cookie", "Authorization"} & headers.keys()


def test_a_body_without_a_length_is_read_to_its_end(website: Website) -> None:
    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"part one, ")
        handler.wfile.write(b"part two")

    website.pages = {ARCHIVE: page}
    assert website.fetch() == b"part one, part two"


@pytest.mark.holds("graph.sources.github.missing")
def test_a_missing_repository_or_branch_is_not_found(website: Website) -> None:
    with pytest.raises(NotFound):
        website.fetch("nowhere")


@pytest.mark.holds("graph.sources.github.trouble")
@pytest.mark.parametrize("code", [204, 206, 304, 400, 401, 403, 410, 429, 451, 500, 502, 503])
def test_any_other_answer_is_unavailable(website: Website, code: int) -> None:
    website.pages = {ARCHIVE: status(code)}
    with pytest.raises(Unavailable):
        website.fetch()


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    answer(b"only this", Content_Length="500")(handler)


def no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"220 smtp.example ready\r\n")


def endless_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        handler.wfile.write(b"X-%d: %s\r\n" % (number, b"x" * 100))


def two_lengths(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde")


TROUBLES: list[Page] = [
    cut_short,
    no_http,
    endless_headers,
    two_lengths,
    answer(b"x", Content_Encoding="gzip"),
]


@pytest.mark.holds("graph.sources.github.trouble")
@pytest.mark.parametrize("page", TROUBLES)
def test_a_server_that_breaks_the_rules_is_unavailable(website: Website, page: Page) -> None:
    website.pages = {ARCHIVE: page}
    with pytest.raises(Unavailable):
        website.fetch()


@pytest.mark.holds("graph.sources.github.trouble")
def test_a_server_that_is_not_there_is_unavailable() -> None:
    for address in (
        "http://127.0.0.1:1/{ref}",
        "http://host.invalid/{ref}",
        "gopher://127.0.0.1/",
        "http://[/",
    ):
        with pytest.raises(Unavailable, match=r"^GitHub could not be reached: look at .* network .* or a ZIP of the"):
            fetch_repository("o", "r", "HEAD", archive_url=address, max_bytes=9, deadline=PATIENCE)


@pytest.mark.holds("graph.sources.github.trouble")
@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
def test_a_server_that_falls_silent_is_left_at_the_deadline(website: Website, beginning: bytes) -> None:
    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(beginning)
        handler.connection.settimeout(PATIENCE)
        if handler.connection.recv(1) == b"":
            website.hung_up.set()

    website.pages = {ARCHIVE: page, WARM: answer(b"")}
    website.fetch("warm")  # what is loaded once must not count towards a short deadline
    with pytest.raises(Unavailable):
        within(4, lambda: website.fetch(deadline=1.0), clock=time.monotonic)
    assert website.hung_up.wait(PATIENCE)


@pytest.mark.holds("graph.sources.github.trouble")
@pytest.mark.parametrize("beginning", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"])
def test_a_server_that_drips_is_left_at_the_deadline(website: Website, beginning: bytes) -> None:
    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(beginning)
        while not website.closing.wait(0.02):  # each drop is soon enough for a timeout that starts anew
            handler.wfile.write(b"x")

    website.pages = {ARCHIVE: page, WARM: answer(b"")}
    website.fetch("warm")
    with pytest.raises(Unavailable):
        within(4, lambda: website.fetch(max_bytes=10**6, deadline=1.0), clock=time.monotonic)
    assert website.hung_up.wait(PATIENCE)


@pytest.mark.holds("graph.sources.github.too-large", "graph.sources.limits-inclusive")
def test_an_archive_exactly_at_the_limit_is_fetched(website: Website) -> None:
    website.pages = {ARCHIVE: answer(b"x" * 1_000)}
    assert len(website.fetch(max_bytes=1_000)) == 1_000
    with pytest.raises(TooLarge) as refusal:
        website.fetch(max_bytes=999)
    assert refusal.value.facts == {"what": "zip_bytes", "limit": 999}


@pytest.mark.holds("graph.sources.github.too-large", "graph.sources.length-header-first")
@pytest.mark.parametrize("announced", ["1001", "9" * 19])
def test_an_announced_length_over_the_limit_is_refused_before_the_body(website: Website, announced: str) -> None:
    def page(handler: BaseHTTPRequestHandler) -> None:
        answer(b"", Content_Length=announced)(handler)
        handler.connection.settimeout(PATIENCE)
        if handler.connection.recv(1) == b"":
            website.hung_up.set()

    website.pages = {ARCHIVE: page}
    with pytest.raises(TooLarge):
        website.fetch(max_bytes=1_000)
    assert website.hung_up.wait(PATIENCE)


@pytest.mark.holds("graph.sources.github.too-large", "graph.sources.counted-while-receiving")
def test_an_endless_body_is_cut_off_at_the_limit(website: Website) -> None:
    sent = 0

    def page(handler: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(bytes(65_536))
            sent += 65_536

    website.pages = {ARCHIVE: page}
    with pytest.raises(TooLarge):
        website.fetch(max_bytes=200_000)
    assert website.hung_up.wait(PATIENCE)
    assert sent < 50_000_000


@pytest.mark.holds("graph.sources.github.redirects")
@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_to_the_same_origin_are_followed_without_cookies(website: Website, code: int) -> None:
    website.pages = {
        ARCHIVE: status(code, Location="/second", Set_Cookie="a=b"),
        "/second": status(code, Location=website.address + "/third"),
        "/third": answer(b"there"),
    }
    assert website.fetch() == b"there"
    assert [path for path, _ in website.requests] == [ARCHIVE, "/second", "/third"]
    assert not any("Cookie" in headers for _, headers in website.requests)


@pytest.mark.holds("graph.sources.github.redirects")
def test_redirects_elsewhere_are_not_followed(website: Website) -> None:
    for other in serve(Website("")):
        website.pages = {ARCHIVE: status(302, Location=other.address + ARCHIVE)}
        other.pages = {ARCHIVE: answer(b"not here")}
        with pytest.raises(Unavailable):
            website.fetch()
        assert other.requests == []


@pytest.mark.holds("graph.sources.github.redirects")
@pytest.mark.parametrize("location", [ARCHIVE, "", "http://[", "https:", "file:///etc/passwd", "\\\\host\\x"])
def test_redirects_that_lead_nowhere_are_unavailable(website: Website, location: str) -> None:
    website.pages = {ARCHIVE: status(302, Location=location)}
    with pytest.raises((Unavailable, NotFound)):
        website.fetch()
    assert len(website.requests) <= 6


ORIGIN = httpx.URL("https://github.com/o/r/archive/HEAD.zip")


@pytest.mark.holds("graph.sources.github.redirects")
@pytest.mark.parametrize(
    "location",
    [
        "https://codeload.github.com/o/r/zip/HEAD",
        "https://CODELOAD.github.com:443/o/r/zip/HEAD",
        "https://objects.githubusercontent.com/x?token=1",
        "//codeload.github.com/o",
        "/renamed/r/archive/HEAD.zip",
    ],
)
def test_github_may_redirect_to_its_own_hosts(location: str) -> None:
    assert redirect_target(ORIGIN, ORIGIN, location).scheme == "https"


@pytest.mark.holds("graph.sources.github.redirects")
@pytest.mark.parametrize(
    "location",
    [
        "http://github.com/o/r",
        "http://codeload.github.com/o",
        "https://codeload.github.com:8443/o",
        "https://github.com:80/o",
        "https://github.com.example/o",
        "https://evilgithub.com/o",
        "https://github.com./o",
        "https://githubusercontent.com/o",
        "https://evilgithubusercontent.com/o",
        "https://raw.githubusercontent.com.example/o",
        "https://gist.github.com/o",
        "https://user@github.com/o",
        "https://github.com@example/o",
        "https://github.com\\@example/o",
        "https://127.0.0.1/o",
        "https://ｇithub.com.example/o",
        "ftp://github.com/o",
        "",
    ],
)
def test_github_may_not_redirect_elsewhere(location: str) -> None:
    with pytest.raises((Unavailable, httpx.InvalidURL)):
        redirect_target(ORIGIN, ORIGIN, location)


def test_proxies_of_the_environment_are_not_used(website: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    website.pages = {ARCHIVE: answer(b"direct")}
    assert website.fetch() == b"direct"


def self_signed(folder: Path) -> ssl.SSLContext:
    """A certificate nobody vouches for, made for this run."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    today = datetime.datetime.now(datetime.UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(today).not_valid_after(today + datetime.timedelta(days=1))
    certificate = builder.add_extension(alternative, critical=False).sign(key, hashes.SHA256())
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    pem = key.private_bytes(serialization.Encoding.PEM, *plain)
    (folder / "server.pem").write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return context


@pytest.mark.holds("graph.sources.github.trouble")
def test_a_certificate_nobody_vouches_for_is_unavailable(tmp_path: Path) -> None:
    for website in serve(Website(""), self_signed(tmp_path)):
        website.pages = {ARCHIVE: answer(b"not to be trusted")}
        with pytest.raises(Unavailable):
            website.fetch()
        assert website.requests == []


@pytest.mark.holds("graph.sources.github.trouble")
def test_a_plain_server_under_a_secure_address_is_unavailable(website: Website) -> None:
    website.address = website.address.replace("http:", "https:")
    with pytest.raises(Unavailable):
        website.fetch()


@pytest.mark.holds("graph.sources.github.address-form")
def test_the_address_of_a_repository_is_taken_apart() -> None:
    for end in ("", ".git", "/"):
        assert parse_repository(f"https://github.com/My-Org/some.repo_1{end}") == ("My-Org", "some.repo_1")
    assert parse_repository("https://github.com/org/.github") == ("org", ".github")


REFUSED = [
    "http://github.com/o/r",
    "https://www.github.com/o/r",
    "https://GitHub.com/o/r",
    "HTTPS://github.com/o/r",
    "https://gitlab.com/o/r",
    "https://github.com.example/o/r",
    "https://example/github.com/o/r",
    "https://user@github.com/o/r",
    "https://user:word@github.com/o/r",
    "https://github.com@example/o/r",
    "https://github.com:443/o/r",
    "https://github.com:/o/r",
    "https://github.com./o/r",
    "https://github.com/o",
    "https://github.com/o/",
    "https://github.com//o/r",
    "https://github.com/o//r",
    "https://github.com/o/r//",
    "https://github.com/o/r.git/",
    "https://github.com/o/r/tree/main",
    "https://github.com/o/r?x=1",
    "https://github.com/o/r?",
    "https://github.com/o/r#x",
    "https://github.com/o/r#",
    "https://github.com/../r",
    "https://github.com/o/..",
    "https://github.com/o/.",
    "https://github.com/o/.git",
    "https://github.com/./r",
    "https://github.com/o/%2e%2e",
    "https://github.com/o/r%2Fx",
    "https://github.com/o/r%00",
    "https://github.com\\o\\r",
    "https:/github.com/o/r",
    "https:github.com/o/r",
    "//github.com/o/r",
    "github.com/o/r",
    "git@github.com:o/r.git",
    "ssh://git@github.com/o/r",
    "file:///etc/passwd",
    "https://github。com/o/r",
    "https://gіthub.com/o/r",
    "https://github.com/ο/r",
    "https://github.com/o/ｒ",
    "https://github.com/-o/r",
    "https://[::1]/o/r",
    "",
]
REFUSED += [
    "",
    " https://github.com/o/r",
    "https://github.com/o/r ",
    "https://github.com/o/r\n",
    "https://github.com/o/\tr",
]
REFUSED += ["https://github.com/o/r\0", "https://github.com/o r/r", "https://github.com/o/" + "r" * 101]


@pytest.mark.holds("graph.sources.github.address-refused", "graph.sources.github.address-form")
@pytest.mark.parametrize("address", REFUSED)
def test_any_other_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parse_repository(address)
    assert refusal.value.facts == {"field": "source"}


@pytest.mark.holds("graph.sources.github.branch-form")
def test_a_branch_is_a_plain_name() -> None:
    for branch in ("main", "feature/x-1", "v1.0", "_x", ".x", "HEAD", "a" * 255):
        assert check_branch(branch) == branch
    refused = [
        "",
        "-x",
        "a..b",
        "..",
        "a b",
        "a\n",
        "a%2e",
        "ä",
        "a?b",
        "a#b",
        "a@{1}",
        "a\\b",
        "a~1",
        "a:b",
        "a" * 256,
    ]
    for branch in [*refused, "/a", "a/", "a//b", ".", "a/./b", "main\0"]:
        with pytest.raises(InvalidInput) as refusal:
            check_branch(branch)
        assert refusal.value.facts == {"field": "branch"}


@settings(deadline=None)
@given(st.text(max_size=30), st.text(st.sampled_from("ab./-_~%\\ "), max_size=12))
def test_what_passes_the_checks_leads_to_github_alone(owner: str, branch: str) -> None:
    try:
        found = parse_repository(f"https://github.com/{owner}/r")
        reference = check_branch(branch)
    except InvalidInput:
        return
    url = httpx.URL(f"https://github.com/{found[0]}/{found[1]}/archive/{reference}.zip")
    assert (url.host, url.path) == ("github.com", f"/{owner}/r/archive/{branch}.zip")


def test_no_thread_is_left_behind(website: Website) -> None:
    website.pages = {ARCHIVE: status(302, Location="/x"), "/x": answer(b"x" * 5_000)}
    with pytest.raises(TooLarge):
        website.fetch()
    for thread in threading.enumerate():
        if thread.name == "fetch-repository":
            thread.join(PATIENCE)
            assert not thread.is_alive()
