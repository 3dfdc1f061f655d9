"""One sentence for what is wrong in a file, and where."""

from __future__ import annotations

from loreweave.routing.route_errors import SkillFileError


def skill_file_error(sentence: str, path: str, line: int | None = None) -> SkillFileError:
    place = path if line is None else f"{path}:{line}"
    return SkillFileError(f"{place}: {sentence}", path, line)
