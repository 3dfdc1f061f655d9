"""Twenty ingests an hour, per user, whatever headers say."""

import pytest
from starlette.testclient import TestClient

URL = "/api/skillgraph/ingest"


def ingest(client: TestClient, archive: bytes, **headers: str):
    return client.post(URL, files={"file": ("n.zip", archive)}, data={"sourceType": "zip"}, headers=headers)


@pytest.mark.holds("graph.rate.retry-after")
def test_the_next_ingest_after_the_limit_is_429(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=2)
    assert [ingest(client, archive).status_code for _ in range(3)] == [200, 200, 429]
    refused = ingest(client, archive)
    assert refused.json()["code"] == "rate_limited"
    assert 3590 <= int(refused.headers["retry-after"]) <= 3600
    assert refused.json()["retryAfter"] == int(refused.headers["retry-after"])


@pytest.mark.holds("graph.rate.user", "graph.rate.no-forwarding-headers", "house.access.no-proxy-headers")
def test_a_peer_is_known_by_its_socket_alone(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=1)
    assert ingest(client, archive).status_code == 200
    disguises = ({"X-Forwarded-For": "1.2.3.4"}, {"Forwarded": "for=1.2.3.4"}, {"X-Real-IP": "1.2.3.4"})
    for disguise in disguises:
        assert ingest(client, archive, **disguise).status_code == 429
    other = make_client(ingests_per_hour=1, peer="10.9.9.9")
    assert ingest(other, archive).status_code == 200


@pytest.mark.holds("graph.rate.user")
def test_a_token_is_counted_by_its_user(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=1)
    access = client.app_state["application"].access
    mira, again, noor = (access.create_token(user).secret for user in ("mira", "mira", "noor"))
    assert ingest(client, archive, Authorization=f"Bearer {mira}").status_code == 200
    assert ingest(client, archive, Authorization=f"Bearer {again}").status_code == 429
    assert ingest(client, archive, Authorization=f"Bearer {noor}").status_code == 200
    assert ingest(client, archive).status_code == 200  # the address itself has not ingested yet


@pytest.mark.holds("graph.rate.before-upload")
def test_a_full_hour_is_told_before_the_upload_is_read(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=1)
    assert ingest(client, archive).status_code == 200
    broken = client.post(URL, content=b"not even a form", headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert broken.status_code == 429
    assert client.post(URL, json={"sourceType": "nonsense"}).status_code == 429


@pytest.mark.holds("graph.rate.counts-sound-requests")
def test_only_requests_with_sound_fields_count(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=1)
    wrong = [
        client.post(URL, json={"sourceType": "zip"}),
        client.post(URL, json={"sourceType": "github", "source": "https://example.com/a/b"}),
        client.post(URL, files={"file": ("n.zip", archive)}, data={"sourceType": "tar"}),
        client.post(URL, files={"file": ("n.zip", archive)}, data={"sourceType": "zip", "colour": "red"}),
        client.post(URL, files={"file": ("n.zip", archive)}, data={"sourceType": "zip", "subdirectory": "../x"}),
        client.post(URL, data={"sourceType": "zip"}, files={"other": ("n.zip", archive)}),
    ]
    assert [answer.status_code for answer in wrong] == [400] * 6
    assert ingest(client, b"no archive at all").json()["code"] == "bad_archive"  # sound fields: this one counts
    assert ingest(client, archive).status_code == 429


@pytest.mark.holds("graph.rate.counts-sound-requests")
def test_an_upload_cut_off_at_the_limit_counts_when_its_fields_were_sound(make_client) -> None:
    client = make_client(ingests_per_hour=1, max_zip_bytes=1000)
    assert ingest(client, b"x" * 5000).status_code == 413
    assert ingest(client, b"x").status_code == 429


@pytest.mark.holds("graph.rate.exempt")
def test_fusing_does_not_count(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=2)
    for name in ("one", "two"):
        form = {"sourceType": "zip", "name": name}
        assert client.post(URL, files={"file": ("n.zip", archive)}, data=form).status_code == 200
    for _ in range(3):
        fused = client.post("/api/skillgraph/fuse", json={"name": "both", "graphIds": ["one", "two"]})
        assert fused.status_code == 200


@pytest.mark.holds("house.settings.ingests-per-hour-zero")
def test_zero_is_no_limit(make_client, archive: bytes) -> None:
    client = make_client(ingests_per_hour=0)
    assert {ingest(client, archive).status_code for _ in range(25)} == {200}


SOUND = b'--b\r\nContent-Disposition: form-data; name="sourceType"\r\n\r\nzip\r\n'
FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="n.zip"\r\n\r\nPK'
UNSOUND = b'--b\r\nContent-Disposition: form-data; name="subdirectory"\r\n\r\n../x\r\n'


@pytest.mark.holds("graph.rate.counts-sound-requests")
@pytest.mark.parametrize(
    ("body", "counted"),
    [
        (SOUND + FILE, True),  # ends in the middle of the file
        (SOUND + FILE + b"\r\n--b\rnonsense", True),  # no form any more
        (SOUND + FILE + b"\r\n" + FILE, True),  # the file twice
        (SOUND, False),  # no file yet
        (FILE, False),  # no source type yet
        (UNSOUND + SOUND + FILE, False),
        (FILE + b"\r\n" + SOUND + UNSOUND.replace(b"../x", b"\xff"), False),
    ],
)
def test_an_upload_that_breaks_off_counts_when_its_fields_were_sound(
    make_client, archive: bytes, body: bytes, counted: bool
) -> None:
    client = make_client(ingests_per_hour=1)
    broken = client.post(URL, content=body, headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert broken.status_code == 400
    assert ingest(client, archive).status_code == (429 if counted else 200)
