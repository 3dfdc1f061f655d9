"""The composition root: the only place that knows which implementation was chosen."""

import os
import signal
import threading
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from loreweave.clock import DAY, Clock, format_time, open_clock
from loreweave.settings import Settings

if TYPE_CHECKING:
    from loreweave.access.access_service import AccessService
    from loreweave.contracts.skill_graph import PageSettings
    from loreweave.knowledge.asking.answer_service import AnswerService
    from loreweave.knowledge.asking.ask_service import AskService
    from loreweave.knowledge.asking.digest.build_digest import Distil
    from loreweave.knowledge.asking.digest.run_build import BuildOptions
    from loreweave.knowledge.asking.digest_library import DigestLibrary
    from loreweave.knowledge.asking.digest_service import DigestService
    from loreweave.knowledge.asking.page_service import PageService
    from loreweave.knowledge.graph.graph_library import GraphLibrary
    from loreweave.knowledge.graph.graph_service import GraphService
    from loreweave.knowledge.graph.note_readers import NoteReaders
    from loreweave.knowledge.retrieval.retrieval_service import RetrievalService
    from loreweave.memory.memory_service import MemoryService, Upkeep
    from loreweave.routing.route_service import RouteService
    from loreweave.seams.embedding.embedder import Embedder
    from loreweave.seams.engine.engine import Engine
    from loreweave.seams.host.programs import Programs
    from loreweave.seams.host.sandbox import Sandbox
    from loreweave.seams.models.key_check import KeyCheck
    from loreweave.seams.models.language_model import LanguageModel
    from loreweave.seams.models.open_model import ModelKeys
    from loreweave.seams.models.shared_model import SharedModel
    from loreweave.seams.storage.store import Store
    from loreweave.work.sessions.session_bell import LogReader
    from loreweave.work.sessions.session_run import SessionTools
    from loreweave.work.sessions.session_service import SessionService
    from loreweave.work.sessions.workshop import Workshop
    from loreweave.work.skill_plans.skill_service import SkillService
    from loreweave.work.skill_plans.skill_session import SkillAgent
    from loreweave.work.workspaces.workspace_service import WorkspaceService


Opened = TypeVar("Opened")


class opened_once(cached_property[Opened]):
    """As `cached_property`, and one however many threads ask first: two bells would not hear one another."""

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        with instance._opening:
            return super().__get__(instance, owner)


class Application:
    """The services, each opened when first asked for: a cold command pays only for what it uses."""

    def __init__(self, settings: Settings, *, start_method: str = "fork", takes_work: bool = True) -> None:
        self.settings = settings
        self._start_method = start_method
        self._takes_work = takes_work
        self._opening = threading.RLock()

    @opened_once
    def clock(self) -> Clock:
        return open_clock(self.settings.clock_file)

    @opened_once
    def store(self) -> "Store":
        from loreweave.seams.storage.open_store import open_store

        return open_store(self.settings.data_dir, self.settings.database_url)

    @opened_once
    def embedder(self) -> "Embedder | None":
        from loreweave.seams.embedding.open_embedder import open_embedder

        return open_embedder(
            self.settings.embedder,
            openai_base_url=self.settings.openai_base_url or None,
            openai_api_key=self.settings.openai_api_key or None,
        )

    @opened_once
    def graphs(self) -> "GraphService":
        from loreweave.knowledge.graph.graph_service import GraphService
        from loreweave.knowledge.reading.limits import ReadingLimits

        settings = self.settings
        return GraphService(
            store=self.store,
            library=self._library,
            readers=self._readers,
            open_embedder=lambda: self.embedder,
            now=self._now,
            fail_at=self._fail_at,
            limits=ReadingLimits(settings.max_zip_bytes, settings.max_files, settings.max_markdown_bytes),
            archive_url=settings.github_archive_url,
        )

    @opened_once
    def retrieval(self) -> "RetrievalService":
        from loreweave.knowledge.retrieval.retrieval_service import RetrievalService

        return RetrievalService(self._library, lambda: self.embedder)

    @opened_once
    def asking(self) -> "AskService":
        from loreweave.knowledge.asking.ask_service import AskService
        from loreweave.knowledge.asking.question_log import QuestionLog

        log = QuestionLog(self.store, self._now, keeps=self.settings.ask_log == "on")
        return AskService(self._digests, self.settings.model, log)

    def asking_file(self, digest: bytes) -> "AskService":
        """The same over a digest file, without any store."""
        from loreweave.knowledge.asking.ask_service import AskService
        from loreweave.knowledge.asking.digest_file_library import DigestFileLibrary

        return AskService(DigestFileLibrary(digest, self.embedder), self.settings.model)

    @opened_once
    def pages(self) -> "PageService":
        from loreweave.knowledge.asking.page_service import PageService

        return PageService(self.store, self._digests)

    @opened_once
    def digests(self) -> "DigestService":
        from loreweave.knowledge.asking.digest_service import DigestService

        cache = self.settings.data_dir / "digests"
        return DigestService(lambda: self.store, lambda: self._digests, self._open_distil, cache, self._run_readers)

    def build_options(self, pages: "PageSettings | None" = None, **options: Any) -> "BuildOptions":
        """What a build is asked for; `pages` where the addresses of a folder's pages are given."""
        from loreweave.knowledge.asking.digest.digest_file import settings_of
        from loreweave.knowledge.asking.digest.run_build import BuildOptions

        return BuildOptions(settings=settings_of(pages.model_dump()) if pages else None, **options)

    def _open_distil(self, name: str | None) -> "Distil | None":
        model = self._open_model(self.settings.model if name is None else name)
        if model is None:
            return None
        from loreweave.knowledge.asking.answers.distil_sections import distil_sections

        return partial(distil_sections, model)

    @opened_once
    def answers(self) -> "AnswerService":
        from loreweave.knowledge.asking.answer_service import AnswerService
        from loreweave.knowledge.asking.answers.answer_slots import AnswerSlots

        slots = AnswerSlots(self.settings.ask_concurrency)
        return AnswerService(self.asking, self.pages, lambda: self.model, slots, self.settings.ask_timeout_s)

    @opened_once
    def model(self) -> "LanguageModel | None":
        return self._open_model(self.settings.model)

    def _open_model(self, name: str) -> "LanguageModel | None":
        from loreweave.seams.models.open_model import open_model

        return open_model(name, self._model_keys)

    @opened_once
    def key_check(self) -> "KeyCheck":
        """Whether the provider takes the key of the chosen model; nobody waits for it."""
        from loreweave.seams.models.key_check import KeyCheck

        return KeyCheck(self.settings.model, self._model_keys, self.clock)

    @property
    def _model_keys(self) -> "ModelKeys":
        from loreweave.seams.models.open_model import ModelKeys

        settings = self.settings
        return ModelKeys(
            anthropic_key=settings.anthropic_api_key,
            anthropic_url=settings.anthropic_base_url,
            openai_key=settings.openai_api_key,
            openai_url=settings.openai_base_url,
            ollama_url=settings.ollama_base_url,
        )

    @opened_once
    def memory(self) -> "MemoryService":
        """Opening it erases what can no longer come back, before anybody is served."""
        from loreweave.memory.change import WRITES, AccessLog, MemoryTools
        from loreweave.memory.memory_service import MemoryService
        from loreweave.memory.search.memory_index_library import MemoryIndexLibrary

        tools = MemoryTools(
            store=self.store,
            clock=self.clock,
            library=MemoryIndexLibrary(self.store, lambda: self.embedder),
            accesses=AccessLog(self.store, WRITES),
            recovery=self.settings.recovery_days * DAY,
            fail_at=self._fail_at,
        )
        service = MemoryService(tools)
        service.sweep()
        return service

    def upkeep(self) -> "Upkeep":
        """What a server does for its memories beside serving, while it is entered."""
        from loreweave.memory.memory_service import Upkeep

        return Upkeep(self.memory)

    @opened_once
    def access(self) -> "AccessService":
        from loreweave.access.access_service import AccessService

        return AccessService(self.store, self.clock, self.settings.ingests_per_hour)

    @opened_once
    def routes(self) -> "RouteService":
        from loreweave.routing.folders.route_sources import SourceLimits
        from loreweave.routing.route_service import RouteService

        return RouteService(
            read_files=lambda graph_id: self.graphs.source_files(graph_id),
            revision_of=lambda graph_id: self.graphs.revision(graph_id),
            limits=SourceLimits(self.settings.max_files, self.settings.max_markdown_bytes),
            open_embedder=lambda: self.embedder,
        )

    @opened_once
    def sessions(self) -> "SessionService":
        from loreweave.work.sessions.session_service import SessionService

        return SessionService(
            tools=self._session_tools,
            reader=self._log_reader,
            max_budget=self.settings.token_budget,
            forget=self._forget_session,
            fail_at=self._fail_at,
        )

    @opened_once
    def skills(self) -> "SkillService":
        from loreweave.work.skill_plans.skill_service import SkillService

        return SkillService(
            sessions=self.sessions,
            log=self._session_tools.log,
            engine=lambda: self.engine,
            max_budget=self.settings.token_budget,
            fail_at=self._fail_at,
        )

    @property
    def engine(self) -> "Engine":
        return self.workshop.engine

    @opened_once
    def workshop(self) -> "Workshop":
        """Where sessions are worked on; closed with the application."""
        from loreweave.seams.engine.open_engine import open_engine
        from loreweave.work.sessions.workshop import SessionRunner, Workshop
        from loreweave.work.skill_plans.skill_session import SkillSession

        settings = self.settings
        skill = SkillSession(self._skill_agent)
        runner = SessionRunner(
            self._session_tools,
            {"skill": skill},
            lambda: self.workshop.executor_id,
            clear=lambda session_id: self.workspaces.remove_scratch(session_id),
        )
        return Workshop(
            self._session_tools,
            lambda: open_engine(
                settings.data_dir,
                settings.database_url,
                runner,
                takes_work=self._takes_work,
                let_go=self._hang_up,
            ),
            takes_work=self._takes_work,
        )

    @opened_once
    def workspaces(self) -> "WorkspaceService":
        from loreweave.work.workspaces.workspace_service import WorkspaceService

        return WorkspaceService(self._workspace_root)

    @opened_once
    def sandbox(self) -> "Sandbox":
        from loreweave.seams.host.open_sandbox import open_sandbox

        hidden = (self.settings.data_dir, self._workspace_root)
        return open_sandbox(self.settings.sandbox, self._programs, hidden=hidden)

    @opened_once
    def git_version(self) -> str | None:
        from loreweave.seams.host.programs import git_version

        return git_version()

    @opened_once
    def _programs(self) -> "Programs":
        from loreweave.seams.host.programs import find_programs

        return find_programs(outside=(self._workspace_root,))

    @property
    def _workspace_root(self) -> Path:
        return self.settings.workspace_root or self.settings.data_dir / "workspaces"

    @opened_once
    def _skill_agent(self) -> "SkillAgent":
        from loreweave.work.agents.agent_tools import Lookups, TurnLimits
        from loreweave.work.agents.house_lookups import recall, search_docs
        from loreweave.work.skill_plans.skill_session import SkillAgent

        settings = self.settings
        return SkillAgent(
            open_model=lambda: self._shared_model,
            open_sandbox=lambda: self.sandbox,
            open_programs=lambda: self._programs,
            workspaces=self.workspaces,
            lookups=Lookups(
                search_docs=lambda query: search_docs(self.asking, query),
                recall=lambda query: recall(self.memory, query),
            ),
            limits=TurnLimits(seconds=settings.agent_timeout_s, token_budget=settings.token_budget),
            ask_seconds=settings.ask_user_timeout_s,
            clock=self.clock,
        )

    @opened_once
    def _shared_model(self) -> "SharedModel | None":
        from loreweave.seams.models.shared_model import SharedModel

        return SharedModel(self.model) if self.model is not None else None

    def _forget_session(self, session_id: str) -> None:
        self.workspaces.remove_scratch(session_id)
        self.engine.forget(session_id)

    async def _hang_up(self) -> None:
        if self.__dict__.get("_shared_model") is not None:
            await self.__dict__.pop("_shared_model").close()

    @opened_once
    def _session_tools(self) -> "SessionTools":
        from loreweave.work.sessions.session_bell import SessionBell
        from loreweave.work.sessions.session_log import SessionLog
        from loreweave.work.sessions.session_run import SessionTools

        bell = SessionBell(self.store)
        return SessionTools(self.store, self.clock, bell, SessionLog(self.store, self.clock, bell))

    @opened_once
    def _log_reader(self) -> "LogReader":
        from loreweave.work.sessions.session_bell import LogReader

        return LogReader(self.store, self._session_tools.bell)

    def latest_graph(self) -> str:
        """The id of the graph ingested last; asked before most reads, so it opens no more than they do."""
        return self._library.latest()

    def close(self) -> None:
        """Lets go of what was opened."""
        for name in ("key_check", "workshop", "_log_reader", "_session_tools", "_readers", "memory", "store"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()

    def _now(self) -> str:
        return format_time(self.clock.now())

    @opened_once
    def _digests(self) -> "DigestLibrary":
        from loreweave.knowledge.asking.digest_library import DigestLibrary

        return DigestLibrary(self.store, lambda: self.embedder, self.settings.ask_graph, self._run_readers)

    @opened_once
    def _library(self) -> "GraphLibrary":
        from loreweave.knowledge.graph.graph_library import GraphLibrary

        return GraphLibrary(self.store)

    def _run_readers(self, work: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterable[Any]:
        """As map, in the processes that read notes where there is much to do."""
        return self._readers.run(work, chunks, len)

    @opened_once
    def _readers(self) -> "NoteReaders":
        from loreweave.knowledge.graph.note_readers import NoteReaders

        return NoteReaders(self._start_method)

    def _fail_at(self, point: str) -> None:
        """Dies as hard as a power cut would, where a test has asked for it."""
        if point == self.settings.failpoint:
            os.kill(os.getpid(), signal.SIGKILL)


def open_application(settings: Settings, *, start_method: str = "fork", takes_work: bool = True) -> Application:
    """`start_method`: how reader processes begin; a server, which has threads, must not fork. `takes_work`: whether
    it goes on with sessions that other processes left."""
    return Application(settings, start_method=start_method, takes_work=takes_work)
