"""Which note a link means.

Exact path (from the note's folder, from the root, from below the site's root), then path suffix, base name, folder,
alias, name. Among several the nearest folder wins, then the fewest parts, then code points.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
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


class Candidates(list[Candidate]):
    """Those that a name, or the end of a path, may mean. Thousands may be called README: they are not gone through for
    every link, but grouped once."""

    _groups: dict[object, dict[tuple, "Candidates"]] | None = None
    _best: dict[tuple, dict[tuple[str, ...], Candidate]] | None = None

    def where(self, kind: object, forms: Callable[[Candidate], Iterable[tuple]], wanted: tuple) -> "Candidates":
        """Those of which one of the forms is the wanted one; a kind has one way to make forms."""
        if len(self) < MANY:
            return Candidates([found for found in self if wanted in forms(found)])
        self._groups = self._groups or {}
        if (groups := self._groups.get(kind)) is None:
            groups = self._groups[kind] = {}
            for found in self:
                for form in dict.fromkeys(forms(found)):
                    groups.setdefault(form, Candidates()).append(found)
        return groups.get(wanted, NOBODY)

    def nearest(self, here: tuple[str, ...], spelled: tuple[str, ...]) -> Candidate:
        """Of those below each folder around `here` the best is the same for whoever asks."""
        if len(self) < MANY:
            return min(self, key=lambda found: _nearness(found.path, here, spelled))
        self._best = self._best or {}
        if (best := self._best.get(spelled)) is None:
            best = self._best[spelled] = {}
            for found in sorted(self, key=lambda found: _nearness(found.path, (), spelled)):
                folder = tuple(found.path.split("/")[:-1])
                for depth in range(len(folder), -1, -1):
                    best.setdefault(folder[:depth], found)
        around = [best[here[:depth]] for depth in range(len(here) + 1) if here[:depth] in best]
        return min(around, key=lambda found: _nearness(found.path, here, spelled))

    @cached_property
    def places(self) -> int:
        """How many they are, where those that speak for one folder are one."""
        return len({_place(found.path) for found in self})


MANY = 12  # from which on grouping is worth it
NOBODY = Candidates()


@dataclass(frozen=True, slots=True)
class Resolution:
    note_key: int
    path: str
    rivals: int  # how many others the same rule would have allowed


Names = Mapping[str, Candidates]


def group_names(rows: Iterable[tuple[str, int, int, str]]) -> Names:
    """Of (name, note key, class of the name, path) who answers to each name."""
    names: dict[str, Candidates] = {}
    for name, note_key, name_class, path in rows:
        names.setdefault(name, Candidates()).append(Candidate(note_key, name_class, path))
    return names


def resolve(target: str, source_path: str, names: Names, site_roots: Sequence[str] = ()) -> Resolution | None:
    """The note a target means when written in the note at `source_path` ("" for none), or None.

    `site_roots` are the addresses below which the tree is published, the most trusted first.
    """
    parts, last, whole, is_rooted = read_reference(target)
    if not parts and not is_rooted:
        return None
    here = tuple(source_path.split("/")[:-1])
    by_path = names.get(last, NOBODY)
    if is_rooted:
        forms = _below(parts, site_roots)
    else:
        forms = _absolute_forms(parts, here, tuple(stem_of(source_path).split("/")))
    for same in (tuple, _folded, _published) if "/" in target else (tuple, _folded):
        for form in forms:
            among = by_path if form else names.get(ROOT, NOBODY)
            if exact := among.where(same, lambda found, by=same: _forms_as(by, found.path), same(form)):  # type: ignore
                return _choose(exact, here, rivals=False)
    if ".." in parts:  # written as a path from here, so it is no name
        return None
    suffix = by_path.where(len(parts), lambda found: _ends(found.path, len(parts)), _folded(parts)) if parts else NOBODY
    if suffix and not (is_rooted and len(parts) == 1 and "." not in target):
        return _choose(suffix, here, spelled=parts)
    if is_rooted:
        return None
    for name_class in (BASE, FOLDER, ALIAS, NAME):
        if named := names.get(whole, NOBODY).where("class", lambda found: ((found.name_class,),), (name_class,)):
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


def _ends(path: str, parts: int) -> list[tuple[str, ...]]:
    """How a path can end, in so many parts."""
    return [form[-parts:] for form in _forms_as(_folded, path)]


def _choose(
    found: Candidates, here: tuple[str, ...], *, rivals: bool = True, spelled: tuple[str, ...] = ()
) -> Resolution:
    """`spelled`: what was written; it decides between places that are equally near."""
    best = found[0] if len(found) == 1 else found.nearest(here, spelled)
    return Resolution(best.note_key, best.path, found.places - 1 if rivals and len(found) > 1 else 0)


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
