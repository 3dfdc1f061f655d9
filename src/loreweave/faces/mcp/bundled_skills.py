"""The skills that come with the product, offered as resources and as prompts."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

ADDRESS = "skill://{name}/SKILL.md"


@dataclass(frozen=True, slots=True)
class BundledSkill:
    name: str
    description: str
    text: str

    @property
    def uri(self) -> str:
        return ADDRESS.format(name=self.name)


@cache
def bundled_skills() -> tuple[BundledSkill, ...]:
    """Every folder with a SKILL.md of its own, by name."""
    found = []
    for folder in sorted(files("loreweave.bundled_skills").iterdir(), key=lambda entry: entry.name):
        skill = folder / "SKILL.md"
        if folder.is_dir() and skill.is_file():
            found.append(_read(folder.name, skill))
    return tuple(found)


def _read(name: str, skill: Traversable) -> BundledSkill:
    """Our own files have one-line header fields; no more of the format is read here."""
    text = skill.read_text(encoding="utf-8")
    _, header, _ = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in header.splitlines() if ": " in line)
    return BundledSkill(name, fields.get("description", "").strip('"'), text)
