"""Builds for the faces: started and exported."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loreweave.contracts.argument_values import Fault, refusal_of
from loreweave.contracts.project_spec import BegunBuild, StartedBuild
from loreweave.contracts.session import SessionView
from loreweave.contracts.session_events import CommitDiff, PlanningStarted, TestsFollow
from loreweave.errors import Conflict, InvalidInput, LoreError, NotFound, Unavailable
from loreweave.seams.engine.engine import Engine
from loreweave.seams.host.build_repository import BuildRepository, told_path
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.programs import Programs
from loreweave.seams.models.language_model import LanguageModel
from loreweave.work.agents.agent_tools import NO_MODEL
from loreweave.work.builds.deploy_build import page_folder
from loreweave.work.builds.portals import portal_faults
from loreweave.work.builds.read_spec import DESIGN_FILES, BuildOrder, read_start
from loreweave.work.grounding.build_knowledge import KnowledgeHouse
from loreweave.work.sessions.session_log import SessionLog
from loreweave.work.sessions.session_service import SessionService
from loreweave.work.workspaces.workspace_service import WorkspaceService

_MOMENT = (1980, 1, 1, 0, 0, 0)  # the first that a ZIP knows: equal content, equal bytes
MOST_FILES = 300  # that a planner is told of
SHOWN_DIFF = 512 * 1024  # bytes
_UNEXPORTED = {".git", ".lore", "node_modules", "__pycache__", ".pytest_cache"}


@dataclass(frozen=True, eq=False, repr=False)
class BuildService:
    """`engine`, `programs` and the model are opened when first asked for."""

    sessions: SessionService
    log: SessionLog
    engine: Callable[[], Engine]
    workspaces: WorkspaceService
    programs: Callable[[], Programs]
    open_model: Callable[[], LanguageModel | None]
    max_budget: int
    fail_at: Callable[[str], None]
    show_page: Callable[[str, ConfinedFolder, str], str]
    knows_port: Callable[[str], bool]
    knowledge: Callable[[], KnowledgeHouse]

    def refuse_unready(self, session_id: str) -> None:
        """Before a body is looked at: the session must be there and wait for its start."""
        row = self.sessions.row(session_id)
        if row.kind != "build" or row.state != "idle":
            word = "is a skill run" if row.kind != "build" else "was started before"
            raise Conflict(f"The session {word}", session_id=session_id, state=row.state)

    def start(self, session_id: str, value: Any) -> StartedBuild:
        """Nothing is claimed before everything is looked at, so a corrected start works."""
        self.refuse_unready(session_id)
        order = read_start(self._taken_further(value))
        path = order.workspace_path
        if path is not None:
            self._look_at_folder(path)
        if faults := list(portal_faults(order.spec.portals, self.knows_port)):
            raise refusal_of(faults)
        if order.spec.knowledge is not None:
            self.knowledge().take(session_id, order.spec.knowledge.graphId)
        folder = None if path is None else os.path.realpath(self.workspaces.folder_for(path).path)
        if folder is not None and self.sessions.is_at_work_in(folder):
            raise _busy()
        self._refuse_without_model()
        self.engine()  # where nothing can run, nothing is promised
        self._claim(session_id, order, folder)
        self.fail_at("session.created")
        self.sessions.set_going(self.engine(), session_id)
        return StartedBuild()

    def _refuse_without_model(self) -> None:
        try:
            missing = NO_MODEL if self.open_model() is None else None
        except LoreError as trouble:
            missing = trouble.message
        if missing is not None:
            raise Unavailable(missing, code="no_model", part="model")

    def _taken_further(self, value: Any) -> Any:
        """A start that continues a build: in its folder, with its spec where it says nothing else, and told of it."""
        identity = value.get("continues") if isinstance(value, dict) else None
        if identity is None:
            return value
        if not isinstance(identity, str):
            raise refusal_of([Fault("continues", "must be the id of a session")])
        row, view = self.sessions.row(identity), self.sessions.get(identity)
        if row.state not in ("idle", "done"):
            raise Conflict("The session is still running: it can be continued when it is over", field="continues")
        if row.kind != "build" or view.nugget_dir is None or not Path(view.nugget_dir).is_dir():
            raise Conflict("There is no folder of this session in which it could be continued", field="continues")
        before, said = view.spec or {}, value.get("spec")
        spec = {**before, **(said if isinstance(said, dict) else {})}
        if isinstance(spec.get("project"), dict):
            spec["project"] = {**before.get("project", {}), **spec["project"]}
        return {**value, "spec": spec, "workspace_path": value.get("workspace_path") or view.nugget_dir}

    def _story(self, session_id: str) -> dict[str, Any]:
        """What a planner is told of the build that it continues."""
        view, tests = self.sessions.get(session_id), self.sessions.tests(session_id)
        folder = self.workspaces.folder_for(view.nugget_dir or "")
        return {
            "goal": (view.spec or {}).get("project", {}).get("goal", ""),
            "outcome": view.outcome,
            "explanation": view.explanation,
            "tasks": [
                task.model_dump(include={"id", "name", "agent_name", "status", "summary", "error"})
                for task in view.tasks
            ],
            "tests": tests.model_dump(include={"passed", "failed", "total", "coverage_pct"}),
            "files": folder.list_files(limit=MOST_FILES),
        }

    def begin(self, value: Any) -> BegunBuild:
        """A session and its start in one; where the start is refused nothing is left, where it is killed one named."""
        goal = read_start(self._taken_further(value)).spec.project.goal
        self.engine()
        session_id = self.sessions.create(goal).session_id
        try:
            self.start(session_id, value)
        except LoreError:
            self.sessions.delete(session_id)
            raise
        return BegunBuild(session_id=session_id)

    def address(self, view: SessionView) -> str | None:
        """Where its page is shown by this process; the one it was shown at first may have gone with another."""
        if view.nugget_dir is None:
            return None
        try:
            folder = self.workspaces.folder_for(view.nugget_dir)
            root = page_folder(folder)
        except LoreError:
            return None  # the folder was moved, or taken away
        return self.show_page(view.id, folder, root) if root is not None else None

    def export(self, session_id: str) -> bytes:
        """The last commit as a ZIP: sorted, with fixed times, without what is nobody's work."""
        row = self.sessions.row(session_id)
        view = self.sessions.get(session_id)
        if row.kind != "build" or row.state == "idle" or view.nugget_dir is None:
            raise Conflict("The session has nothing to export yet", session_id=session_id, state=row.state)
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, is_runnable, data in self._files(session_id, view.nugget_dir):
                if _UNEXPORTED.isdisjoint(path.split("/")):
                    entry = zipfile.ZipInfo(told_path(path), _MOMENT)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    entry.external_attr = (0o100755 if is_runnable else 0o100644) << 16
                    entry.create_system = 3
                    archive.writestr(entry, data)
        return written.getvalue()

    def diff(self, session_id: str, sha: str) -> CommitDiff:
        """Only commits that the log tells of are shown: nothing else of a person's repository."""
        commits = self.sessions.commits(session_id)
        chosen = commits if sha == "all" else [commit for commit in commits if commit.sha.startswith(sha)]
        if sha != "all" and len(chosen) != 1:
            raise NotFound(f"The build has no commit {sha[:80]!r}" if not chosen else "Several commits begin like this")
        nugget_dir = self.sessions.get(session_id).nugget_dir
        git = self.programs().resolve(("git",))
        if not chosen or nugget_dir is None or git is None:
            return CommitDiff(sha="all", files_changed=[], diff="", cut=False)
        repository = self._repository(session_id, git[0], self.workspaces.folder_for(nugget_dir))
        text = repository.changed_by([commit.sha for commit in chosen], SHOWN_DIFF + 1)
        files = sorted({path for commit in chosen for path in commit.files_changed})
        named = "all" if sha == "all" else chosen[0].sha
        return CommitDiff(sha=named, files_changed=files, diff=text[:SHOWN_DIFF], cut=len(text.encode()) > SHOWN_DIFF)

    def _repository(self, session_id: str, git: str, folder: ConfinedFolder) -> BuildRepository:
        home = Path(self.workspaces.build_home(session_id))
        return BuildRepository(git, home, folder, f"lore/{session_id[:8]}")

    def _files(self, session_id: str, nugget_dir: str) -> list[tuple[str, bool, bytes]]:
        folder = self.workspaces.folder_for(nugget_dir)
        git = self.programs().resolve(("git",))
        if git is None:
            return [(path, False, folder.read_bytes(path)) for path in folder.list_files()]
        try:
            return self._repository(session_id, git[0], folder).files()
        except NotFound:
            raise Conflict("The session has nothing to export yet", session_id=session_id) from None

    def _look_at_folder(self, path: str) -> None:
        """Links and files in the way are met here; the folder need not be there."""
        folder = self.workspaces.folder_for(path)
        try:
            folder.refuse_absent()
        except NotFound:
            return
        for file in DESIGN_FILES:
            if folder.kind_of(file) not in ("file", None):
                raise InvalidInput(f"workspace_path holds {file}, which is no file", field="workspace_path")

    def _claim(self, session_id: str, order: BuildOrder, folder: str | None) -> None:
        given = {"spec": order.given, "workspace_path": order.workspace_path, "continues": order.continues}
        given["workspace_json"] = order.workspace_json
        if order.continues is not None:
            given["before"] = self._story(order.continues)
        workflow = order.spec.workflow
        tests_follow: TestsFollow = "gates" if workflow.human_gates else "tasks"
        started = PlanningStarted(
            max_budget=self.max_budget,
            tests_follow=tests_follow if workflow.testing_enabled else None,
            warnings=order.warnings or None,
        )
        goal = order.spec.project.goal
        claimed = self.log.claim(session_id, goal, given, folder, started).result()
        if claimed == "folder":
            raise _busy()
        if claimed == "begun":
            raise Conflict("The session was started before", session_id=session_id)


def _busy() -> Conflict:
    return Conflict("Another build works in this folder", field="workspace_path")
