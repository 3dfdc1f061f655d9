"""Texts of skills for the tests of folders."""

from pathlib import Path


def skill_text(name: str, *metadata: str, body: str = "Do it.", description: str | None = None, **header: str) -> str:
    """A SKILL.md; each of `metadata` is a line below that key."""
    lines = ["---", f"name: {name}", f"description: {description or 'About ' + name}"]
    lines += [f"{key}: {value}" for key, value in header.items()]
    if metadata:
        lines += ["metadata:", *("  " + line for line in metadata)]
    return "\n".join([*lines, "---", "", body, ""])


def routes(*lines: str) -> str:
    """The metadata line that states these routes."""
    return "skillgraph.routes: |\n" + "\n".join("    " + line for line in lines)


def folder_of(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return root
