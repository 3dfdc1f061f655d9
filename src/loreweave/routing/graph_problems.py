"""What can be wrong with a graph of skills; each is refused with one sentence that says what to do."""

from __future__ import annotations

from os import PathLike

from loreweave.contracts.route_values import GraphCheckup


def quoted(name: str) -> str:
    """In double quotes and on one line, so that a problem stays one line."""
    return '"' + " ".join(name.split()) + '"'


class SkillGraphError(ValueError):
    """A graph, or a question to one, that cannot be."""


class NotASkill(SkillGraphError):
    """Neither a Skill nor an id stands where a skill is named."""


class DuplicateSkill(SkillGraphError):
    """Two unequal skills claim one id."""


class BadCondition(SkillGraphError):
    """A condition that cannot be read or asked."""


class ModeConflict(SkillGraphError):
    """Two ways of routing, or of choosing the entry, that exclude each other."""


class UnknownSkill(SkillGraphError):
    """The graph has no such skill."""


class CheckupFailed(SkillGraphError):
    """The check-up found an error."""

    def __init__(self, checkup: GraphCheckup) -> None:
        super().__init__(str(checkup))
        self.checkup = checkup

    def __reduce__(self) -> tuple[type[CheckupFailed], tuple[GraphCheckup]]:
        return CheckupFailed, (self.checkup,)


class SkillFileError(SkillGraphError):
    """A file that cannot be read as a skill; `path` and the line, counted from one, say where."""

    def __init__(self, message: str, path: str | PathLike[str], line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line

    def __reduce__(self) -> tuple[type[SkillFileError], tuple[str, str | PathLike[str], int | None]]:
        return SkillFileError, (self.message, self.path, self.line)


def skill_file_error(sentence: str, path: str, line: int | None = None) -> SkillFileError:
    place = path if line is None else f"{path}:{line}"
    return SkillFileError(f"{place}: {sentence}", path, line)
