"""Which note a link means.

Exact path (from the note's folder, from the root, from below the site's root), then path suffix, base name, folder,
alias, name. Among several the nearest folder wins, then the fewest parts, then code points.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from loreweave.language.markdown.note_names import ALIAS, BASE, FOLDER, FOLDER_FILES, NAME, ROOT, read_reference
from loreweave.language.markdown.note_slugs import stem_of, without_number
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


def group_names(rows: Iterable[tuple[str, int, int, str]]) -> Names:
    """Of (name, note key, class of the name, path) who answers to each name."""
    names: dict[str, list[Candidate]] = {}
    for name, note_key, name_class, path in rows:
        names.setdefault(name, []).append(Candidate(note_key, name_class, path))
    return names


def resolve(target: str, source_path: str, names: Names, site_roots: Sequence[str] = ()) -> Resolution | None:
    """The note a target means when written in the note at `source_path` ("" for none), or None.

    `site_roots` are the addresses below which the tree is published, the most trusted first.
    """
    parts, last, whole, is_rooted = read_reference(target)
    if not parts and not is_rooted:
        return None
    here = tuple(source_path.split("/")[:-1])
    by_path = names.get(last, ())
    if is_rooted:
        forms = _below(parts, site_roots)
    else:
        forms = _absolute_forms(parts, here, tuple(stem_of(source_path).split("/")))
    for same in (tuple, _folded, _published) if "/" in target else (tuple, _folded):
        for form in forms:
            wanted = same(form)
            among = by_path if form else names.get(ROOT, ())
            exact = [found for found in among if wanted in _forms_as(same, found.path)]
            if exact:
                return _choose(exact, here, rivals=False)
    if ".." in parts:  # written as a path from here, so it is no name
        return None
    suffix = [found for found in by_path if _ends_alike(found.path, parts)] if parts else []
    if suffix and not (is_rooted and len(parts) == 1 and "." not in target):
        return _choose(suffix, here, spelled=parts)
    if is_rooted:
        return None
    by_name = names.get(whole, ())
    for name_class in (BASE, FOLDER, ALIAS, NAME):
        named = [found for found in by_name if found.name_class == name_class]
        if named:
            return _choose(named, here)
    return None


def _below(parts: tuple[str, ...], site_roots: Sequence[str]) -> list[tuple[str, ...]]:
    """The paths that an address of a site can mean: below each of its roots, then as it is."""
    forms = []
    for root in site_roots:
        above = tuple(part for part in root.split("/") if part)
        if above and parts[: len(above)] == above:
            forms.append(parts[len(above) :])
    return [*forms, parts]


def _absolute_forms(parts: tuple[str, ...], here: tuple[str, ...], beside: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The paths below the root that the parts can mean: from the note's folder, from the root, and as a browser reads
    them where the note is published as a folder of its own."""
    forms = []
    for base in (here, (), beside):
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


def _folded(form: Iterable[str]) -> tuple[str, ...]:
    return tuple(slug(part) for part in form)


@lru_cache(maxsize=8192)  # of notes that many link to
def _path_forms(path: str) -> tuple[tuple[str, ...], ...]:
    """How a note's path can be written: without its ending, and as its folder where it speaks for the folder."""
    *above, last = path.split("/")
    stem = stem_of(last)
    whole = (*above, stem)
    return (whole, tuple(above)) if stem.casefold() in FOLDER_FILES else (whole,)


@lru_cache(maxsize=16_384)
def _forms_as(same: Callable[[Iterable[str]], tuple[str, ...]], path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(map(same, _path_forms(path)))


def _published(form: Iterable[str]) -> tuple[str, ...]:
    """As sites publish what is only numbered for its order."""
    return tuple(map(without_number, form))


def site_roots(base_path: str, found: str | None) -> tuple[str, ...]:
    """Where a tree is published: as somebody said or by default, and as its own links say."""
    said = urlsplit(base_path).path if "://" in base_path else base_path
    return tuple(dict.fromkeys(root for root in (said, found) if root))


_DEEPEST_ROOT = 3  # folders of a site's root
MOST_ROOTED = 2_000  # links that are looked at to find it


def find_site_root(paths: Iterable[str], targets: Iterable[str]) -> str | None:
    """The prefix below which most of the rooted targets name a document; None where none does."""
    rooted = [read_reference(target).parts for target in targets]
    pages = {form for path in paths for form in (*_path_forms(path), *_forms_as(_published, path))} if rooted else ()
    resolved: Counter[tuple[str, ...]] = Counter()
    named = set()  # those below which something is named: one link to a page makes no root of it
    for parts in rooted:
        for length in range(min(_DEEPEST_ROOT, len(parts)) + 1):
            if parts[length:] in pages:
                resolved[parts[:length]] += 1
                named.update([parts[:length]] * (length < len(parts)))
    if not named:
        return None
    best = min(named, key=lambda root: (-resolved[root], len(root), root))
    return "/" + "".join(f"{part}/" for part in best)


def _ends_exactly(path: str, parts: tuple[str, ...]) -> bool:
    return any(form[-len(parts) :] == parts for form in _path_forms(path))


def _ends_alike(path: str, parts: tuple[str, ...]) -> bool:
    if _ends_exactly(path, parts):
        return True
    wanted = _folded(parts)
    return any(form[-len(parts) :] == wanted for form in _forms_as(_folded, path))


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
    return folder + "/" if stem_of(name).casefold() in FOLDER_FILES else path


def _nearness(path: str, here: tuple[str, ...], spelled: tuple[str, ...]) -> tuple[int, int, int, bool, str]:
    folder = tuple(path.split("/")[:-1])
    common = 0
    for mine, other in zip(here, folder, strict=False):
        if mine != other:
            break
        common += 1
    stem = stem_of(path.rpartition("/")[2]).casefold()
    speaks = FOLDER_FILES.index(stem) if stem in FOLDER_FILES else len(FOLDER_FILES)
    differs = bool(spelled) and not _ends_exactly(path, spelled)
    return len(here) + len(folder) - 2 * common, len(folder), speaks, differs, path
