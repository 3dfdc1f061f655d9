"""The guide's example does what its comments say."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "routing.md"


@pytest.mark.holds("house.docs.guide", "routing.names.public")
def test_the_first_example_of_the_guide_answers_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    found: dict[str, object] = {}
    exec(example[1], found)
    shown = capsys.readouterr().out
    assert shown.startswith("flowchart TD\n")
    said = [line.split("# ") for line in example[1].splitlines() if "# " in line]
    assert len(said) == 2
    for expression, answer in said:
        assert eval(expression, found) == eval(answer)
