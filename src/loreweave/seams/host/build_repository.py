"""The work of one build under version control: a tree a task, one commit a task on a branch of the build's own.

The person's folder is read once, for the first commit, and then only given what tasks finished: its branch, index,
ignored files, and whatever was changed in it meanwhile, stay as they are. Where a build began the version control and
nobody has committed since, the next build's branch is the one that is checked out.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loreweave.errors import LoreError, NotFound
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.run_git import GitHome, blob_name

_ZEROS = re.compile("0+")
_SHA = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_REFERENCE = 1024 * 1024  # bytes
_FILE = 512 * 1024 * 1024
_AT_ONCE = 16 * 1024 * 1024  # bytes that are read by one call
_SHOWN_FILE = 1024 * 1024  # bytes of a file whose changes are shown
_LINKS = ("120000", "160000")
_US = "Loreweave <loreweave@localhost>"
_OUR_ADDRESSES = ("loreweave@localhost", "@loreweave.localhost")
_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n"


@dataclass(frozen=True, slots=True)
class TaskTree:
    """Where one attempt works, and the commit it began from."""

    folder: Path
    base: str


class MergeConflict(Exception):
    """Others changed the same lines meanwhile."""

    def __init__(self, files: list[str]) -> None:
        super().__init__(", ".join(files))
        self.files = files


@dataclass(frozen=True, slots=True)
class _Change:
    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Committed:
    sha: str
    changes: tuple[_Change, ...]

    @property
    def files_changed(self) -> list[str]:
        return sorted(change.path for change in self.changes)


class BuildRepository:
    """`home`: a private folder of the build; `folder`: where its person finds the work."""

    def __init__(self, git: str, home: Path, folder: ConfinedFolder, branch: str) -> None:
        self._home = home
        self._folder = folder
        self._branch = branch
        self._theirs = _is_usable(folder)
        objects = folder.path / ".git" / "objects" if self._theirs != "unusable" else home / "objects"
        self._git = GitHome(git, home / "git", objects)
        self.trouble = ""  # why the person does not find the branch under its name

    @property
    def _reference(self) -> str:
        return f"refs/heads/{self._branch}"

    def prepare(self, when: str) -> str:
        """Makes the branch where there is none, its first commit holding what was there; answers its last commit."""
        head, excluded = "", ""
        if self._theirs == "person's":
            head, excluded = _head_of(self._folder), _text(self._folder, ".git/info/exclude")
        (self._home).mkdir(parents=True, exist_ok=True, mode=0o700)
        self._git.make(excluded, is_sha256=len(head) == 64)
        try:
            first = self.head()
        except NotFound:
            first = self._first_commit(head, when)
            if self._theirs == "absent":
                self._begin_theirs()
            self._git.run("update-ref", self._reference, first, "")
        self._tell_theirs(first)
        if self._is_left_by_a_build(head):
            self._show_index(first)
            self._folder.write_bytes(".git/HEAD", f"ref: {self._reference}\n".encode())
        return first

    def head(self) -> str:
        found = self._commit_of(self._reference)
        if not found:
            raise NotFound("The build has no branch yet")
        return found

    def check_out(self, place: str) -> TaskTree:
        """A fresh tree of the last commit; what an earlier attempt left there is gone."""
        tree = self._home / "trees" / place
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True, mode=0o700)
        base = self.head()
        self._git.run("read-tree", base, index=f"index-{place}")
        self._git.run("checkout-index", "-a", "-f", "-u", tree=tree, index=f"index-{place}")
        return TaskTree(tree, base)

    def remove_tree(self, place: str) -> None:
        shutil.rmtree(self._home / "trees" / place, ignore_errors=True)
        (self._git.place / f"index-{place}").unlink(missing_ok=True)

    def commit(self, place: str, tree: TaskTree, message: str, author: str, when: str) -> Committed | None:
        """Brings what the tree changed onto the branch as one commit, once: `place` names it. Nothing where nothing
        changed; `MergeConflict` where others changed the same meanwhile."""
        mark = f"refs/lore/{place}"
        known = self._commit_of(mark)
        if known:
            self._tell_theirs(self.head())  # a crash may have come before that
            return self._told(known)
        stored = self._stored(place, tree)
        while True:
            head = self.head()
            began, now = self._git.line("rev-parse", f"{tree.base}^{{tree}}", f"{head}^{{tree}}").split()
            if stored == began:
                return None
            merged = stored if head == tree.base else self._merged(tree.base, stored, head, when)
            if merged == now:
                return None  # others made exactly this change before
            sha = self._write_commit(merged, head, message, author, when)
            moved = f"update {self._reference} {sha} {head}\ncreate {mark} {sha}\n"
            if not self._git.tried("update-ref", "--stdin", given=moved.encode(), allowed=(0, 128)).returncode:
                break
        self._tell_theirs(sha)
        return self._told(sha)

    def publish(self, made: Committed) -> list[str]:
        """Gives the folder what a commit changed; names what was changed there by somebody else and so left alone."""
        left = []
        changes = sorted(made.changes, key=lambda change: not _ZEROS.fullmatch(change.new))  # what was taken away first
        kept = [change.new for change in changes if _is_file(change)]
        contents = self._contents(kept)
        for change in changes:
            data = next(contents) if _is_file(change) else b""
            try:
                if not self._gave(change, data):
                    left.append(change.path)
            except LoreError:  # a link or a folder stands there
                left.append(change.path)
        if _is_ours(self._folder, self._reference):
            self._show_index(made.sha)
        return left

    def difference(self, tree: TaskTree, place: str, most: int) -> str:
        """What an attempt changed, for the next one to read."""
        return self.between(tree.base, self._stored(place, tree), most)

    def changed_by(self, commits: Sequence[str], most: int) -> str:
        """What these commits of the branch changed, from before the first of them to after the last."""
        known = [sha for sha in self._git.line("rev-list", "--first-parent", self.head()).split() if sha in commits]
        return self.between(f"{known[-1]}^", known[0], most) if known else ""

    def between(self, before: str, after: str, most: int) -> str:
        """How two commits or trees differ, as text, so many bytes of it. Large files differ, and no more is said."""
        told = ("-r", "-p", "--no-ext-diff", "--no-textconv", "--no-color", before, after)
        return self._git.beginning(most, "-c", f"core.bigFileThreshold={_SHOWN_FILE}", "diff-tree", *told).decode(
            errors="replace"
        )

    def files(self, commit: str | None = None) -> list[tuple[str, bool, bytes]]:
        """Path, whether it can be run, and content of every plain file of a commit, by path."""
        listed = self._git.run("ls-tree", "-r", "-z", commit or self.head())
        found = []
        for entry in filter(None, listed.split(b"\0")):
            facts, _, name = entry.partition(b"\t")
            mode, kind, sha = facts.decode().split()
            if kind == "blob" and mode not in _LINKS:
                found.append((os.fsdecode(name), mode == "100755", sha))
        contents = self._contents([sha for _, _, sha in found])
        return sorted((path, is_runnable, data) for (path, is_runnable, _), data in zip(found, contents, strict=True))

    # inside

    def _first_commit(self, head: str, when: str) -> str:
        stored = self._as_they_see_it(head) if head else None
        if stored is None:
            self._git.run("read-tree", *([head] if head else ["--empty"]), index="index-first")
            stored = self._added("index-first", self._folder.path, head)
        if head and stored == self._git.line("rev-parse", f"{head}^{{tree}}"):
            return head
        return self._write_commit(stored, head, "Loreweave: what was there before", _US, when)

    def _stored(self, place: str, tree: TaskTree) -> str:
        index = f"index-{place}"
        if not (self._git.place / index).exists():  # else it knows which files are as they were checked out
            self._git.run("read-tree", tree.base, index=index)
        _remove_repositories(tree.folder)
        return self._added(index, tree.folder, tree.base)

    def _as_they_see_it(self, head: str) -> str | None:
        """With what their index knows: a file that they did not change is as it was committed, however a filter wrote
        it into their folder (LFS, ends of lines), and what they told git not to look at is not looked at, such as all
        that a sparse checkout leaves out. Nothing where their index cannot be read here."""
        try:
            shared = [name for name in os.listdir(self._folder.path / ".git") if name.startswith("sharedindex.")]
            for name in ("index", *shared):
                copy = self._git.place / ("index-first" if name == "index" else name)
                with self._folder.open_file(f".git/{name}") as theirs, open(copy, "wb") as ours:
                    shutil.copyfileobj(theirs, ours)
                    written = os.fstat(theirs.fileno()).st_mtime_ns
                os.utime(copy, ns=(written, written))  # git asks which files are younger
            return self._added("index-first", self._folder.path, head)
        except (OSError, LoreError):
            return None

    def _added(self, index: str, tree: Path, base: str) -> str:
        """The tree of all that is there."""
        self._git.run("add", "-A", "--", ".", tree=tree, index=index)
        self._take_back(base, index)
        return self._git.run("write-tree", index=index).decode().strip()

    def _take_back(self, base: str, index: str) -> None:
        """New links and repositories inside the tree are not kept: they would lead out of it."""
        against = base or self._git.run("mktree", given=b"").decode().strip()
        raw = self._git.run("diff-index", "--cached", "--raw", "-z", "--no-renames", against, index=index)
        lines = []
        for change in _changes_of(raw):
            if change.new_mode in _LINKS:
                is_new = _ZEROS.fullmatch(change.old)
                kept = f"{change.old_mode} {change.old}" if not is_new else f"0 {change.old}"
                lines.append(f"{kept}\t{change.path}\0".encode(errors="surrogateescape"))
        if lines:
            self._git.run("update-index", "-z", "--index-info", index=index, given=b"".join(lines))

    def _merged(self, base: str, stored: str, head: str, when: str) -> str:
        """The tree that holds both; a commit on `base` lets git find what both began from."""
        mine = self._write_commit(stored, base, "task", _US, when)
        done = self._git.tried(
            "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", head, mine, allowed=(0, 1)
        )
        parts = [os.fsdecode(part) for part in done.stdout.split(b"\0") if part]
        if done.returncode:
            raise MergeConflict(sorted(set(parts[1:])))
        return parts[0]

    def _write_commit(self, tree: str, parent: str, message: str, author: str, when: str) -> str:
        name, _, address = author.partition(" <")
        who = {"NAME": name, "EMAIL": address.rstrip(">"), "DATE": when}
        known = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        parents = ("-p", parent) if parent else ()
        done = self._git.run("commit-tree", tree, *parents, given=message.encode(errors="replace"), known=known)
        return done.decode().strip()

    def _told(self, sha: str) -> Committed:
        raw = self._git.run("diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", f"{sha}^", sha)
        return Committed(sha, tuple(_changes_of(raw)))

    def _commit_of(self, reference: str) -> str:
        """Read as the file that it is: nothing ever packs the references of a repository of ours."""
        with suppress(FileNotFoundError):
            return (self._git.place / reference).read_text().strip()
        return ""

    def _contents(self, names: Sequence[str]) -> Iterator[bytes]:
        """Of blobs, in their order, as many at once as memory bears: a process for each takes minutes for thousands."""
        given = "".join(f"{name}\n" for name in names).encode()
        sizes = [int(size) for size in self._git.run("cat-file", "--batch-check=%(objectsize)", given=given).split()]
        start = 0
        while start < len(names):
            end, room = start + 1, _AT_ONCE - sizes[start]
            while end < len(names) and sizes[end] <= room:
                room -= sizes[end]
                end += 1
            asked = "".join(f"{name}\n" for name in names[start:end]).encode()
            told, place = self._git.run("cat-file", "--batch", given=asked), 0
            for size in sizes[start:end]:
                place = told.index(b"\n", place) + 1  # behind the line that names it
                yield told[place : place + size]
                place += size + 1
            start = end

    def _gave(self, change: _Change, data: bytes) -> bool:
        """False where the folder holds something else than what the build began from."""
        path = change.path
        is_there = self._folder.kind_of(path)
        here = None
        if is_there == "file":
            held = self._folder.read_bytes(path, _FILE)
            here = blob_name(held, change.new)
            plain = blob_name(held.replace(b"\r\n", b"\n"), change.new)
            if here != plain and plain in (change.old, change.new):  # checked out with the ends of lines of Windows
                here, data = plain, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        if here == change.new:
            return True
        if here != (None if _ZEROS.fullmatch(change.old) else change.old) or is_there in ("folder", "other"):
            return False
        if _ZEROS.fullmatch(change.new):
            self._folder.remove(path)
        elif _is_file(change):
            self._folder.write_bytes(path, data)
            if change.new_mode == "100755":
                self._folder.make_runnable(path)
        return True

    def _begin_theirs(self) -> None:
        """A folder without version control gets one that its person can look into with git."""
        self._folder.write_bytes(".git/HEAD", f"ref: {self._reference}\n".encode())
        self._folder.write_bytes(".git/config", _CONFIG)
        exclude = (self._git.place / "info" / "exclude").read_bytes()
        self._folder.write_bytes(".git/info/exclude", exclude)

    def _is_left_by_a_build(self, head: str) -> bool:
        """What is checked out is the branch of an earlier build, in a repository that one began, as it left it."""
        theirs = _text(self._folder, ".git/config"), _text(self._folder, ".git/HEAD")
        is_built = theirs[0].startswith(_CONFIG.decode()) and theirs[1].startswith("ref: refs/heads/lore/")
        is_ours = bool(head) and is_built and not self.trouble
        return is_ours and self._git.line("show", "-s", "--format=%ce", head).endswith(_OUR_ADDRESSES)

    def _show_index(self, sha: str) -> None:
        self._git.run("read-tree", sha, index="index-folder")
        self._folder.write_bytes(".git/index", (self._git.place / "index-folder").read_bytes())

    def _tell_theirs(self, sha: str) -> None:
        """A branch named like the folder of ours is in the way of it: then ours gets another name, and keeps it."""
        outer, _, inner = self._branch.partition("/")
        if self._theirs == "unusable":
            self.trouble = "The version control of the folder cannot be shared: the build's commits are not in it."
            return
        name = self._branch
        if _has_branch(self._folder, outer) or _has_branch(self._folder, f"{outer}-{inner}"):
            name = f"{outer}-{inner}"
            self.trouble = f"The folder has a branch '{outer}', so the build's is called '{name}'."
        try:
            self._folder.write_bytes(f".git/refs/heads/{name}", f"{sha}\n".encode())
        except LoreError as refusal:
            self.trouble = f"The branch '{name}' cannot be written into the folder's repository: {refusal.message}"


def _is_file(change: _Change) -> bool:
    return not _ZEROS.fullmatch(change.new) and change.new_mode not in _LINKS


def _is_usable(folder: ConfinedFolder) -> str:
    """Whether the folder has a repository whose objects may be shared: a person's, none yet, or one that may not."""
    try:
        if folder.kind_of(".git") is None:
            return "absent"
        shared = folder.kind_of(".git/objects/info/alternates"), folder.kind_of(".git/commondir")
        if folder.kind_of(".git/objects") == "folder" and shared == (None, None):
            return "person's"
    except LoreError:
        pass
    return "unusable"


def _head_of(folder: ConfinedFolder) -> str:
    """The commit that is checked out; nothing in a repository without one."""
    told = _text(folder, ".git/HEAD").strip()
    if told.startswith("ref: "):
        name = told.removeprefix("ref: ").strip()
        told = _text(folder, f".git/{name}").strip() or _packed(folder, name)
    return told if _SHA.fullmatch(told) else ""


def _has_branch(folder: ConfinedFolder, name: str) -> bool:
    try:
        is_loose = folder.kind_of(f".git/refs/heads/{name}") == "file"
    except LoreError:  # a link
        is_loose = True
    return is_loose or bool(_packed(folder, f"refs/heads/{name}"))


def _packed(folder: ConfinedFolder, name: str) -> str:
    for line in _text(folder, ".git/packed-refs").splitlines():
        sha, _, reference = line.partition(" ")
        if reference.strip() == name:
            return sha
    return ""


def _is_ours(folder: ConfinedFolder, reference: str) -> bool:
    return _text(folder, ".git/HEAD").strip() == f"ref: {reference}"


def _text(folder: ConfinedFolder, path: str) -> str:
    with suppress(LoreError):
        return folder.read_bytes(path, _REFERENCE).decode(errors="replace")
    return ""


def _changes_of(raw: bytes) -> list[_Change]:
    parts = raw.split(b"\0")
    found = []
    for facts, path in zip(parts[::2], parts[1::2], strict=False):
        old_mode, new_mode, old, new, _ = facts.decode().lstrip(":").split()
        found.append(_Change(os.fsdecode(path), old_mode, new_mode, old, new))
    return found


def _remove_repositories(tree: Path) -> None:
    """Repositories that code made inside the tree would be taken for submodules."""
    for place, folders, files in os.walk(tree):
        if ".git" in folders:
            found = Path(place, ".git")
            found.unlink() if found.is_symlink() else shutil.rmtree(found, ignore_errors=True)
            folders.remove(".git")
        if ".git" in files:
            Path(place, ".git").unlink()


def told_path(path: str) -> str:
    """A name on disk may be any bytes: what of it is no text is told by its numbers."""
    return os.fsencode(path).decode(errors="backslashreplace")
