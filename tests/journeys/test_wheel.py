"""The package as it reaches people: a wheel with the page in it, in an environment of its own."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import httpx
import pytest
from tests.pace import PATIENCE

ROOT = Path(__file__).parents[2]
START = """
import sys, loreweave
from importlib.metadata import entry_points
assert loreweave.__file__.startswith(sys.argv.pop(1)), loreweave.__file__
(lore,) = entry_points(group="console_scripts", name="lore")
sys.exit(lore.load()())
"""
BUILD = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]


def _run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=4 * PATIENCE, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    built = _run(*BUILD, folder, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    (file,) = folder.iterdir()
    return file


@pytest.mark.holds("house.package.holds-the-page")
def test_without_node_and_page_there_is_no_wheel(tmp_path: Path) -> None:
    clone, tools = tmp_path / "clone", tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "")
    for name in ("pyproject.toml", "README.md", "LICENSE", "src/loreweave/__init__.py"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "scripts", clone / "scripts")
    built = _run(*BUILD, tmp_path / "dist", cwd=clone, env={**os.environ, "PATH": str(tools)})
    assert built.returncode != 0
    assert "The page is not built and could not be: run `make install`" in built.stderr
    assert not list(tmp_path.glob("dist/*.whl"))


@pytest.mark.holds("house.package.pytest-is-an-extra", "house.package.holds-the-page")
def test_the_wheel_holds_the_page_and_wants_no_pytest_of_its_users(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        assert "loreweave/faces/http/static/index.html" in packed.namelist()
        (metadata,) = [name for name in packed.namelist() if name.endswith("dist-info/METADATA")]
        wanted = [
            line for line in packed.read(metadata).decode().splitlines() if line.startswith("Requires-Dist: pytest")
        ]
    assert "Requires-Dist: pytest>=8.3; extra == 'agents'" in wanted
    assert all("extra ==" in line for line in wanted)


@pytest.mark.holds("house.package.clean-environment")
def test_an_environment_with_the_wheel_alone_serves_the_page(wheel: Path, tmp_path: Path) -> None:
    """Unpacked as pip does it, started by its entry point; what it depends on is lent from here."""
    venv.create(tmp_path / "fresh", with_pip=False)
    (packages,) = (tmp_path / "fresh" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(packages)
    lent = sysconfig.get_path("purelib")
    (packages / "lent.pth").write_text(f"import sys; sys.path.append({lent!r})\n", encoding="utf-8")
    with subprocess.Popen(
        [tmp_path / "fresh" / "bin" / "python", "-c", START, str(packages), "serve", "--demo", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": os.environ["PATH"], "LORE_DATA_DIR": str(tmp_path / "data"), "LORE_EMBEDDER": "none"},
        cwd=tmp_path,
    ) as server:
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            assert line.startswith("Loreweave listens on "), line
            page = httpx.get(line.split()[-1], timeout=PATIENCE)
            assert (page.status_code, "<script" in page.text) == (200, True)
        finally:
            server.terminate()
            server.communicate(timeout=PATIENCE)
