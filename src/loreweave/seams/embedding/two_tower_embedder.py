"""The embedder for paraphrases: passages by a table of token vectors, questions by three transformer layers.

Only a question is short, so only it is worth a transformer: a few milliseconds of plain numpy. It was trained so
that its vector meets the table's. A passage costs what it costs with the plain table.
"""

from __future__ import annotations

import math
import mmap
import zipfile
from collections.abc import Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path

import numpy
from numpy.lib import format as stored_format

from loreweave.seams.embedding.static_embedder import StaticEmbedder, TokenReader
from loreweave.seams.embedding.wordpiece import read_word, split_words

MODEL_FOLDER = Path(__file__).parent / "two_tower_model"
Array = numpy.ndarray
_OPENS, _ENDS, _MOST_TOKENS = 101, 102, 48
_LAYERS, _WIDTH = 3, 32  # of a head; all weights are cut so: a product so small is not worth a second thread
_EPSILON = 1e-12
_REMEMBERED = 1024  # questions: people, pages and models ask the same one again, and a megabyte holds their vectors


class TwoTowerEmbedder(StaticEmbedder):
    """`embed` reads questions, `embed_pieces` passages; their vectors are compared with one another."""

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        super().__init__(folder)
        self._read = lru_cache(_REMEMBERED)(lambda text: self._tower.read(self._question(text)))

    def floor(self, texts: int) -> float:
        """Fitted to questions that nothing answers: the more texts, the nearer the nearest of them comes by chance."""
        return max(0.16, 0.04 + 0.12 * math.log10(max(1, texts)))

    def embed(self, texts: Sequence[str]) -> Array:
        rows = [self._read(text) if text.strip() else self._nothing for text in texts]
        return numpy.stack(rows) if rows else numpy.zeros((0, self.dimensions), dtype=numpy.float32)

    @property
    def _nothing(self) -> Array:
        return numpy.zeros(self.dimensions, dtype=numpy.float32)

    def _question(self, text: str) -> list[int]:
        words = split_words(text[: 64 * _MOST_TOKENS])[:_MOST_TOKENS]
        found = [self._numbers[token] for word in words for token in read_word(word, self._numbers)]
        return [_OPENS, *found[: _MOST_TOKENS - 2], _ENDS]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        tokens = (self._folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
        return dict(zip(tokens, range(len(tokens)), strict=True))

    @cached_property
    def _tower(self) -> _Tower:
        return _Tower(self._folder / "question_tower.npz")

    def _opened(self) -> TokenReader:
        if self._reader is None:
            self._table = numpy.load(self._folder / "passage_table.int8.npy")
            vocabulary = (self._folder / "vocabulary.txt").read_bytes()
            self._reader = TokenReader(vocabulary, silent=numpy.zeros(len(self._table), dtype=bool))
        return self._reader


def _mapped_arrays(path: Path) -> dict[str, Array]:
    """The arrays of an archive that is not compressed, mapped: of most rows of the vocabulary nobody ever asks."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    found = {}
    with zipfile.ZipFile(path) as stored:
        for entry in stored.infolist():
            head = entry.header_offset
            names = sum(int.from_bytes(data[place : place + 2], "little") for place in (head + 26, head + 28))
            start = head + 30 + names  # what stands before a file: 30 bytes, its name, its extra field
            stream = BytesIO(data[start : start + 256])
            stored_format.read_magic(stream)
            shape, by_columns, dtype = stored_format.read_array_header_1_0(stream)
            values = numpy.frombuffer(data, dtype, math.prod(shape), start + stream.tell())
            found[entry.filename.removesuffix(".npy")] = values.reshape(shape, order="F" if by_columns else "C")
    return found


class _Tower:
    """BERT of three layers; the mean over all positions, projected and brought to length 1."""

    def __init__(self, path: Path) -> None:
        self._kept = _mapped_arrays(path)
        for name in [name[:-2] for name in self._kept if name.endswith(".q") and name != "word.q"]:
            numbers, scale = self._kept.pop(f"{name}.q"), self._kept.pop(f"{name}.s")
            if "embeddings" in name:
                self._kept[name] = numbers * scale
            elif "output" in name:  # parts of what comes in
                parts = numbers.reshape(len(numbers), -1, _WIDTH).transpose(1, 2, 0)
                self._kept[name] = numpy.ascontiguousarray(parts) * scale.T
            else:  # parts of what goes out
                parts = numbers.reshape(-1, _WIDTH, numbers.shape[1]).transpose(0, 2, 1)
                self._kept[name] = numpy.ascontiguousarray(parts) * scale.reshape(-1, 1, _WIDTH)

    def read(self, tokens: list[int]) -> Array:
        kept = self._kept
        words = kept["word.q"][tokens] * kept["word.s"][tokens]
        places = kept["embeddings.position_embeddings.weight"][: len(tokens)]
        state = self._norm(words + places + kept["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for number in range(_LAYERS):
            state = self._layer(state, f"encoder.layer.{number}")
        found = state.mean(axis=0) @ kept["proj.weight"].T + kept["proj.bias"]
        return (found / numpy.linalg.norm(found)).astype(numpy.float32)

    def _layer(self, state: Array, name: str) -> Array:
        query, key, value = (self._parts(state, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        shares = query @ key.transpose(0, 2, 1) * numpy.float32(_WIDTH**-0.5)
        shares = numpy.exp(shares - shares.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        state = self._added(state, shares @ value, f"{name}.attention.output")
        return self._added(state, _gelu(self._parts(state, f"{name}.intermediate.dense")), f"{name}.output")

    def _parts(self, state: Array, name: str) -> Array:
        found: Array = state @ self._kept[f"{name}.weight"]
        found += self._kept[f"{name}.bias"].reshape(-1, 1, _WIDTH)
        return found

    def _added(self, state: Array, parts: Array, name: str) -> Array:
        heard = (parts @ self._kept[f"{name}.dense.weight"]).sum(axis=0) + self._kept[f"{name}.dense.bias"]
        return self._norm(state + heard, name)

    def _norm(self, state: Array, name: str) -> Array:
        state -= state.mean(axis=-1, keepdims=True)
        state /= numpy.sqrt((state * state).mean(axis=-1, keepdims=True) + _EPSILON)
        state *= self._kept[f"{name}.LayerNorm.weight"]
        state += self._kept[f"{name}.LayerNorm.bias"]
        return state


def _gelu(values: Array) -> Array:
    """By the error function, which numpy lacks, to seven places (Abramowitz and Stegun 7.1.26)."""
    size = numpy.abs(values)
    part = 1.0 / (1.0 + size / math.sqrt(2.0) * 0.3275911)
    lost = part * (0.5 * 1.061405429)
    for number in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        lost += 0.5 * number
        lost *= part
    lost *= size * numpy.exp(size * size * -0.5)
    return numpy.maximum(values, 0.0) - lost
