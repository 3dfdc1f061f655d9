"""Runs git for the product itself: with settings, references and an index of ours, whatever a folder says of itself.

No hook, filter, driver or setting that lies in somebody's repository or files is ever read. Only objects are shared.
"""

import hashlib
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loreweave.errors import LoreError, Unavailable

SECONDS = 120.0
_SETTINGS = """[core]
\trepositoryformatversion = {format}
\tbare = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
\tfsmonitor = false
\tautocrlf = false
\tprecomposeUnicode = false
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[commit]
\tgpgSign = false
{extensions}"""
_SHA256 = "[extensions]\n\tobjectFormat = sha256\n"
# Of highest rank, so that nothing in the files changes what is stored or starts a program.
_ATTRIBUTES = "* -text !filter !merge !diff -ident !working-tree-encoding !eol\n"
UNKEPT = ("__pycache__/", "*.pyc", ".pytest_cache/", "node_modules/", ".coverage", ".coverage.*", "/.lore/")


class GitFailed(LoreError):
    """Git refused, for a reason that only the log of the process should hold."""

    code = "git_failed"


@dataclass(frozen=True, slots=True)
class GitHome:
    """A repository of ours in `place`, over objects that may be somebody else's."""

    git: str
    place: Path
    objects: Path

    def make(self, excluded: str, *, is_sha256: bool) -> None:
        """Once more changes nothing."""
        (self.place / "info").mkdir(parents=True, exist_ok=True)
        (self.place / "refs" / "heads").mkdir(parents=True, exist_ok=True)
        self.objects.mkdir(parents=True, exist_ok=True)
        settings = {"format": 1 if is_sha256 else 0, "extensions": _SHA256 if is_sha256 else ""}
        (self.place / "config").write_text(_SETTINGS.format(**settings))
        (self.place / "info" / "attributes").write_text(_ATTRIBUTES)
        (self.place / "info" / "exclude").write_text("\n".join(UNKEPT) + "\n" + excluded)
        for lock in self.place.rglob("*.lock"):  # a computer that went off in the middle leaves them for ever
            lock.unlink(missing_ok=True)
        (self.place / "HEAD").write_text("ref: refs/heads/none\n")  # written last: with it the folder is a repository

    def run(self, *arguments: str, **options: Any) -> bytes:
        """What it printed; the options are those of `tried`."""
        return self.tried(*arguments, **options).stdout

    def tried(
        self,
        *arguments: str,
        tree: Path | None = None,
        index: str = "index",
        given: bytes = b"",
        known: Mapping[str, str] | None = None,
        allowed: Sequence[int] = (0,),
    ) -> "subprocess.CompletedProcess[bytes]":
        try:
            done = subprocess.run(
                [self.git, "--no-pager", *arguments],
                input=given,
                capture_output=True,
                timeout=SECONDS,
                cwd=tree or self.place,
                env={**self._environment(tree, index), **(known or {})},
                start_new_session=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Unavailable("git did not answer in time", part="git") from None
        except OSError as trouble:
            raise Unavailable(f"git cannot be started: {trouble.strerror}", part="git") from trouble
        if done.returncode not in allowed:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise GitFailed(f"git {arguments[0]} failed: {said[-1][:200] if said else done.returncode}")
        return done

    def beginning(self, most: int, *arguments: str) -> bytes:
        """The first bytes of what it prints: a stranger's files may make it as long as the disk is large."""
        process = subprocess.Popen(
            [self.git, "--no-pager", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.place,
            env=self._environment(None, "index"),
            start_new_session=True,
        )
        watch = threading.Timer(SECONDS, process.kill)
        watch.start()
        try:
            assert process.stdout is not None
            with process.stdout as printed:
                return printed.read(most)
        finally:
            watch.cancel()
            process.kill()
            process.wait()

    def line(self, *arguments: str) -> str:
        return self.run(*arguments).decode(errors="replace").strip()

    def _environment(self, tree: Path | None, index: str) -> dict[str, str]:
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.place),
            "LANG": "C.UTF-8",
            "GIT_DIR": str(self.place),
            "GIT_WORK_TREE": str(tree or self.place),
            "GIT_INDEX_FILE": str(self.place / index),
            "GIT_OBJECT_DIRECTORY": str(self.objects),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_ADVICE": "0",
        }


def blob_name(data: bytes, like: str) -> str:
    """What git calls this content, in the repository that calls another thing `like`."""
    kind = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return kind(b"blob %d\0" % len(data) + data).hexdigest()
