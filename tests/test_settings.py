"""Settings: lore.toml, then the environment, then flags; later wins."""

import re
from pathlib import Path

import pytest

from loreweave.errors import InvalidInput
from loreweave.failpoints import FAILPOINTS
from loreweave.settings import MEBIBYTE, load_settings


@pytest.mark.holds("house.settings.later-wins", "house.settings.data-dir")
def test_the_environment_goes_over_the_file_and_a_flag_over_both(tmp_path: Path) -> None:
    environment = {"LORE_DATA_DIR": str(tmp_path), "LORE_PORT": "1111", "LORE_HOST": "localhost"}
    (tmp_path / "lore.toml").write_text('port = 2222\nhost = "::1"\nauth = "required"\n')
    found = load_settings(environment)
    assert (found.port, found.host, found.auth) == (1111, "localhost", "required")
    assert load_settings(environment, port=3333).port == 3333
    assert load_settings(environment, data_dir=tmp_path / "other").auth == "auto"


@pytest.mark.holds("house.settings.later-wins")
def test_a_wrong_value_is_named_as_it_was_said(tmp_path: Path) -> None:
    environment = {"LORE_DATA_DIR": str(tmp_path), "LORE_PORT": "x"}
    for said, refused in (
        ("LORE_PORT", lambda: load_settings(environment)),
        ("--port", lambda: load_settings({"LORE_DATA_DIR": str(tmp_path)}, port=70_000)),
    ):
        with pytest.raises(InvalidInput, match=f"^{said} must be a whole number from 0 to 65535$"):
            refused()
    (tmp_path / "lore.toml").write_text("port = 70000\n")
    with pytest.raises(InvalidInput, match=r"^port in lore\.toml must be a whole number"):
        load_settings({"LORE_DATA_DIR": str(tmp_path)})


@pytest.mark.holds("house.settings.defaults", "house.settings.limits")
def test_defaults_are_the_contracts(tmp_path: Path) -> None:
    found = load_settings({"LORE_DATA_DIR": str(tmp_path)})
    assert (found.host, found.port, found.embedder, found.auth) == ("127.0.0.1", 8000, "static", "auto")
    assert (found.max_zip_bytes, found.max_files, found.max_markdown_bytes) == (
        10 * MEBIBYTE,
        500,
        5 * MEBIBYTE,
    )
    assert (found.ingests_per_hour, found.cors_origins) == (20, ())
    assert (found.recovery_days, found.failpoint) == (30, "")


@pytest.mark.holds("house.settings.data-dir")
def test_without_any_word_the_platforms_data_folder_is_used() -> None:
    assert load_settings({"HOME": "/nowhere"}).data_dir.name == "loreweave"


@pytest.mark.holds("house.settings.limits")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LORE_PORT", "x"),
        ("LORE_PORT", "70000"),
        ("LORE_MAX_FILES", "0"),
        ("LORE_MAX_FILES", "1.5"),
        ("LORE_AUTH", "maybe"),
        ("LORE_RECOVERY_DAYS", "0"),
        ("LORE_RECOVERY_DAYS", "36501"),
        ("LORE_RECOVERY_DAYS", "2.5"),
        ("LORE_FAILPOINT", "merge.nowhere"),
        ("LORE_ALLOWED_HOSTS", "https://lore.example"),
        ("LORE_ALLOWED_HOSTS", "lore.example/path"),
    ],
)
def test_a_wrong_value_is_refused_by_name(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        load_settings({"LORE_DATA_DIR": str(tmp_path), name: value})
    assert refused.value.facts["field"] == name


@pytest.mark.holds("house.settings.later-wins")
@pytest.mark.parametrize("text", ["prot = 1", "port = true", "port = [", "openai_api_key = 'k'"])
def test_a_file_with_a_mistake_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "lore.toml").write_text(text)
    with pytest.raises(InvalidInput):
        load_settings({"LORE_DATA_DIR": str(tmp_path)})


@pytest.mark.holds("house.settings.later-wins")
def test_a_file_may_hold_settings_of_parts_still_to_come(tmp_path: Path) -> None:
    (tmp_path / "lore.toml").write_text('model = "none"\ntoken_budget = 30\nport = 7000\n')
    assert load_settings({"LORE_DATA_DIR": str(tmp_path)}).port == 7000


@pytest.mark.holds("house.settings.one-reader")
def test_no_other_module_reads_the_environment() -> None:
    source = Path(__file__).parent.parent / "src" / "loreweave"
    readers = [
        path.name for path in source.rglob("*.py") if "os.environ" in path.read_text() or "getenv" in path.read_text()
    ]
    assert readers == ["settings.py"]


@pytest.mark.holds("house.settings.one-reader")
def test_settings_never_print_a_key(tmp_path: Path) -> None:
    found = load_settings({"LORE_DATA_DIR": str(tmp_path), "OPENAI_API_KEY": "sk-very-secret"})
    assert found.openai_api_key == "sk-very-secret"
    assert "secret" not in repr(found)


@pytest.mark.holds("house.settings.failpoint")
def test_every_point_that_the_code_passes_can_be_named() -> None:
    source = Path(__file__).parent.parent / "src" / "loreweave"
    passed = {
        point
        for path in source.rglob("*.py")
        for point in re.findall(r"""fail_at\(["']([a-z.]+)["']\)""", path.read_text())
    }
    assert passed
    assert passed <= FAILPOINTS
