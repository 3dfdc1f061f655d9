import subprocess
import sys

import pytest

from loreweave.errors import InvalidInput
from loreweave.seams.embedding.open_embedder import open_embedder


def test_static_opens_the_shipped_model() -> None:
    embedder = open_embedder("static")
    assert embedder is not None
    assert embedder.identity.startswith("static-minilm-256-")


@pytest.mark.holds("house.embedding.none")
def test_none_opens_nothing_and_does_not_import_numpy() -> None:
    program = (
        "import sys; from loreweave.seams.embedding.open_embedder import open_embedder;"
        "print(open_embedder('none'), 'numpy' in sys.modules, 'httpx' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "None False False\n"


def test_a_provider_model_is_named_by_its_identity() -> None:
    official = open_embedder("openai:text-embedding-3-small", openai_api_key="k")
    elsewhere = open_embedder("openai:text-embedding-3-small", openai_base_url="http://127.0.0.1:1/v1")
    assert official is not None
    assert elsewhere is not None
    assert official.identity == "openai:text-embedding-3-small"
    assert official.dimensions == 1536
    assert elsewhere.identity.startswith("openai:text-embedding-3-small@")


@pytest.mark.parametrize("spec", ["", "statik", "openai", "openai:", "openai: ", "static:x", "none:x", "http://x"])
def test_an_unknown_spec_is_refused_by_the_name_of_its_setting(spec: str) -> None:
    with pytest.raises(InvalidInput, match="LORE_EMBEDDER") as refusal:
        open_embedder(spec, openai_api_key="k")
    assert refusal.value.facts["field"] == "LORE_EMBEDDER"


def test_the_official_provider_needs_a_key() -> None:
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        open_embedder("openai:text-embedding-3-small")
