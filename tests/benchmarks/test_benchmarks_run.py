"""The benchmarks themselves work: what a case measured against, and what it says where its data is not there."""

import json
import sys
from pathlib import Path

import pytest
from tests import forked
from tests.benchmarks.useful_case import NEEDED, useful_case
from tests.benchmarks.workshop import Workshop
from tests.pace import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.holds("house.commands.make-bench", "graph.speed.bare-route-named")
def test_a_quick_run_names_a_bare_route_beside_ours(tmp_path: Path) -> None:
    told = tmp_path / "lines.json"
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.run_benchmarks",
        "--quick",
        "--only",
        "http",
        "--json",
        str(told),
    ]
    done = forked.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    lines = json.loads(told.read_text())["lines"]
    beside = [line for line in lines if "bare" in line["against"]]
    assert beside
    assert all(line["ratio"] > 0 for line in beside)
    makefile = (ROOT / "Makefile").read_text()
    assert "tests.benchmarks.run_benchmarks" in makefile


@pytest.mark.holds("graph.budget.useful-measured")
def test_packs_and_pages_are_measured_beside_a_naive_packer(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for folder in NEEDED[2:]:
        (data / folder).mkdir(parents=True)
        (data / folder / "pears.md").write_text("# Pears\n\nPears ripen in September, [plums](plums.md) before.\n")
        (data / folder / "plums.md").write_text("# Plums\n\n## Stones\n\nA plum has one stone.\n")
    asked = {"corpus": "docs-site", "kind": "a", "question": "When do pears ripen?", "gold": ["ripen in September"]}
    (data / "answers.json").write_text(json.dumps([asked, {**asked, "corpus": "k8s-docs", "gold": ["in October"]}]))
    (data / "k8s-questions.json").write_text(json.dumps([{"question": "stone of a plum", "page": "plums.md"}]))
    (tmp_path / "place").mkdir()
    lines = {line.what: line for line in useful_case(Workshop(tmp_path / "place", data, quick=True, full=False))}
    whole = lines["in pack at 3,000, docs-site"]
    assert (whole.ours, whole.other, whole.kept) == (1, 1, True)
    assert (lines["in pack at 3,000, all"].ours, lines["in pack at 3,000, all"].kept) == (0.5, False)
    assert lines["in pack at 3,000, a paraphrase"].kept is True
    assert lines["page found, hit@1"].ours == 1
    assert lines["known item, MRR"].ours > 0.5
    agreed = lines["context, search and ask search have one page first"]
    assert (agreed.ours, agreed.kept, agreed.remark) == (1, True, "3 questions")
    assert [line.kept for what, line in lines.items() if what.startswith("links that")] == [True, True]


def test_without_its_data_the_case_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "docs-site").mkdir()
    (line,) = useful_case(Workshop(tmp_path, tmp_path, quick=True, full=False))
    assert line.kept is None
    assert "answers.json" in line.remark
    assert "docs-site" not in line.remark
