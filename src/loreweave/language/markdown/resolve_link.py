"""Which note a link means.

Exact path (from the note's folder, then from the root), then path suffix, base name, folder, alias, name. Among several
the nearest folder wins, then the fewest parts, then code points.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loreweave.language.markdown.note_names import ALIAS, BASE, FOLDER, FOLDER_FILES, NAME, read_reference
from loreweave.language.slug import slug


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that answers to a name."""

    note_key: int
    name_class: int
    path: str


@dataclass(frozen=True, slots=True)
class Resolution:
    note_key: int
    path: str
    rivals: int  # how many others the same rule would have allowed


Names = Mapping[str, Sequence[Candidate]]


def resolve(target: str, source_path: str, names: Names) -> Resolution | None:
    """The note a target means when written in the note at `source_path` ("" for none), or None."""
    parts, last, whole = read_reference(target)
    if not parts:
        return None
    here = tuple(source_path.split("/")[:-1])
    by_path = names.get(last, ())
    for wanted in _absolute_forms(parts, here, rooted=target.startswith("/")):
        exact = [found for found in by_path if wanted in _path_forms(found.path)]
        if exact:
            return _choose(exact, here, rivals=False)
    if ".." in parts:  # written as a path from here, so it is no name
        return None
    suffix = [found for found in by_path if _ends_alike(found.path, parts)]
    if suffix:
        return _choose(suffix, here, spelled=parts)
    by_name = names.get(whole, ())
    for name_class in (BASE, FOLDER, ALIAS, NAME):
        named = [found for found in by_name if found.name_class == name_class]
        if named:
            return _choose(named, here)
    return None


def _absolute_forms(parts: tuple[str, ...], here: tuple[str, ...], *, rooted: bool) -> list[tuple[str, ...]]:
    """The paths below the root that the parts can mean: from the note's folder, then from the root."""
    forms = []
    for base in ((),) if rooted else (here, ()):
        path = list(base)
        for part in parts:
            if part == "..":
                if not path:
                    break
                path.pop()
            else:
                path.append(part)
        else:
            if path:
                forms.append(tuple(path))
    return forms


def _path_forms(path: str) -> Iterable[tuple[str, ...]]:
    """How a note's path can be written: without its ending, and as its folder where it speaks for the folder."""
    parts = path.split("/")
    stem = parts[-1][:-3] if parts[-1].lower().endswith(".md") else parts[-1]
    yield (*parts[:-1], stem)
    if stem.casefold() in FOLDER_FILES and len(parts) > 1:
        yield tuple(parts[:-1])


def _ends_exactly(path: str, parts: tuple[str, ...]) -> bool:
    return any(form[-len(parts) :] == parts for form in _path_forms(path))


def _ends_alike(path: str, parts: tuple[str, ...]) -> bool:
    if _ends_exactly(path, parts):
        return True
    wanted = [slug(part) for part in parts]
    return any([slug(part) for part in form[-len(parts) :]] == wanted for form in _path_forms(path))


def _choose(
    found: list[Candidate], here: tuple[str, ...], *, rivals: bool = True, spelled: tuple[str, ...] = ()
) -> Resolution:
    """`spelled`: what was written; it decides between places that are equally near."""
    if len(found) == 1:
        return Resolution(found[0].note_key, found[0].path, 0)
    best = min(found, key=lambda candidate: _nearness(candidate.path, here, spelled))
    places = {_place(candidate.path) for candidate in found}
    return Resolution(best.note_key, best.path, len(places) - 1 if rivals else 0)


def _place(path: str) -> str:
    """Notes that speak for one folder are one place, not rivals."""
    folder, _, name = path.rpartition("/")
    return folder + "/" if name[:-3].casefold() in FOLDER_FILES else path


def _nearness(path: str, here: tuple[str, ...], spelled: tuple[str, ...]) -> tuple[int, int, int, bool, str]:
    folder = tuple(path.split("/")[:-1])
    common = 0
    for mine, other in zip(here, folder, strict=False):
        if mine != other:
            break
        common += 1
    stem = path.rpartition("/")[2][:-3].casefold()
    speaks = FOLDER_FILES.index(stem) if stem in FOLDER_FILES else len(FOLDER_FILES)
    differs = bool(spelled) and not _ends_exactly(path, spelled)
    return len(here) + len(folder) - 2 * common, len(folder), speaks, differs, path
