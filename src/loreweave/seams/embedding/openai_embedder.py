"""Embeddings over the OpenAI wire format, which many servers speak: POST {base}/embeddings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from loreweave.errors import Unavailable
from loreweave.seams.embedding.stored_vectors import unit_rows
from loreweave.seams.embedding.wordpiece import pieces

if TYPE_CHECKING:
    import httpx

DEFAULT_BASE_URL = "https://api.openai.com/v1"
_KNOWN_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
_LONGEST_TEXT = 8_000  # characters; a token is at least one, and the provider refuses more than 8,191 tokens
_BATCH_TEXTS = 128
_BATCH_CHARACTERS = 200_000


class OpenAIEmbedder:
    """Asks only when used. The key is sent and never shown."""

    def __init__(self, *, base_url: str, api_key: str, model: str, timeout_seconds: float = 30.0) -> None:
        self._url = base_url.rstrip("/") + "/embeddings"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._model = model
        self._timeout = timeout_seconds
        self._dimensions = _KNOWN_DIMENSIONS.get(model) if base_url.rstrip("/") == DEFAULT_BASE_URL else None
        self.identity = f"openai:{model}" + _server_mark(base_url)

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.identity!r})"

    @property
    def dimensions(self) -> int:
        """Known for the provider's own models, asked once for others."""
        if self._dimensions is None:
            self.embed(["dimensions"])
        assert self._dimensions is not None
        return self._dimensions

    def floor(self, texts: int) -> float:
        return 0.45

    def embed(self, texts: Sequence[str]) -> numpy.ndarray:
        """One normalised row a text; a blank text is a zero row and is not sent."""
        wanted = [index for index, text in enumerate(texts) if text.strip()]
        if not wanted:
            return numpy.zeros((len(texts), self.dimensions if texts else self._dimensions or 0), numpy.float32)
        found = self._ask_all([texts[index].strip()[:_LONGEST_TEXT] for index in wanted])
        rows = numpy.zeros((len(texts), found.shape[1]), dtype=numpy.float32)
        rows[wanted] = unit_rows(found)
        return rows

    def embed_pieces(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Rows of all pieces of all texts, and the offsets of the texts."""
        cut = [pieces(text) for text in texts]
        offsets = numpy.cumsum([0, *map(len, cut)], dtype=numpy.int64)
        return self.embed([piece for parts in cut for piece in parts]), offsets

    def _ask_all(self, texts: list[str]) -> numpy.ndarray:
        import httpx

        with httpx.Client(timeout=self._timeout, headers=self._headers) as client:
            blocks = [self._ask(client, batch) for batch in _batches(texts)]
        if len({block.shape[1] for block in blocks} | ({self._dimensions} - {None})) != 1:
            raise self._away("answered with vectors of changing length")
        self._dimensions = blocks[0].shape[1]
        return numpy.concatenate(blocks)

    def _ask(self, client: httpx.Client, texts: list[str]) -> numpy.ndarray:
        import httpx

        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        try:
            answer = client.post(self._url, json=body)
        except httpx.TimeoutException:
            raise self._away(f"did not answer within {self._timeout:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError):
            # ValueError: a key or an address that no header can carry; the cause would quote it.
            raise self._away("could not be reached") from None
        if answer.status_code != 200:
            raise self._away(_refusal(answer.status_code), status=answer.status_code)
        try:
            return _read_vectors(answer.json(), len(texts))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise self._away("answered in an unknown shape") from None

    def _away(self, what: str, **facts: Any) -> Unavailable:
        """An error that quotes neither key nor answer: providers echo keys in theirs."""
        return Unavailable(f"The embedding provider {what}", setting="LORE_EMBEDDER", model=self._model, **facts)


def _server_mark(base_url: str) -> str:
    """Another server may serve another model under the same name."""
    base_url = base_url.rstrip("/")
    return "" if base_url == DEFAULT_BASE_URL else "@" + hashlib.sha256(base_url.encode()).hexdigest()[:8]


def _refusal(status: int) -> str:
    if status in (401, 403):
        return "refused the key (OPENAI_API_KEY)"
    if status == 404:
        return "knows no such model or address"
    if status == 429:
        return "asks to slow down"
    return f"answered with status {status}"


def _batches(texts: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _BATCH_TEXTS or size + len(text) > _BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    yield batch


def _read_vectors(answer: Any, count: int) -> numpy.ndarray:
    by_index = {item["index"]: item["embedding"] for item in answer["data"]}
    rows = numpy.array([by_index[index] for index in range(count)], dtype=numpy.float64)
    if len(by_index) != count or rows.ndim != 2 or rows.shape[1] == 0 or not numpy.isfinite(rows).all():
        raise ValueError("not one vector a text")
    return rows
