"""Chooses the embedder by one string. Free of numpy: what is not chosen is not imported."""

from __future__ import annotations

from loreweave.errors import InvalidInput
from loreweave.seams.embedding.embedder import Embedder


def open_embedder(
    spec: str, *, openai_base_url: str | None = None, openai_api_key: str | None = None
) -> Embedder | None:
    """`static` and `two-tower` (shipped weights), `openai:<model>`, or `none`, which gives None."""
    kind, _, model = spec.strip().partition(":")
    if kind == "none" and not model:
        return None
    if kind == "static" and not model:
        from loreweave.seams.embedding.static_embedder import StaticEmbedder

        return StaticEmbedder()
    if kind == "two-tower" and not model:
        from loreweave.seams.embedding.two_tower_embedder import TwoTowerEmbedder

        return TwoTowerEmbedder()
    if kind == "openai" and model.strip():
        from loreweave.seams.embedding.openai_embedder import DEFAULT_BASE_URL, OpenAIEmbedder

        if not openai_api_key and not openai_base_url:
            raise InvalidInput("LORE_EMBEDDER=openai:… needs OPENAI_API_KEY", field="OPENAI_API_KEY")
        return OpenAIEmbedder(
            base_url=openai_base_url or DEFAULT_BASE_URL, api_key=openai_api_key or "", model=model.strip()
        )
    raise InvalidInput(
        f"LORE_EMBEDDER must be two-tower, static, none or openai:<model>, not {spec[:80]!r}", field="LORE_EMBEDDER"
    )
