"""The composition root: the only place that knows which implementation was chosen."""

import os
import signal
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

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
    from loreweave.memory.memory_service import MemoryService
    from loreweave.memory.upkeep import Upkeep
    from loreweave.routing.route_service import RouteService
    from loreweave.seams.embedding.embedder import Embedder
    from loreweave.seams.engine.engine import Engine
    from loreweave.seams.models.language_model import LanguageModel
    from loreweave.seams.storage.store import Store
    from loreweave.work.sessions.follow_events import LogReader
    from loreweave.work.sessions.session_run import SessionRun, SessionTools
    from loreweave.work.sessions.session_service import SessionService
    from loreweave.work.sessions.workshop import Workshop
    from loreweave.work.skill_plans.plan_hands import SkillTurn
    from loreweave.work.skill_plans.skill_service import SkillService


class Application:
    """The services, each opened when first asked for: a cold command pays only for what it uses."""

    def __init__(self, settings: Settings, *, start_method: str = "fork", takes_work: bool = True) -> None:
        self.settings = settings
        self._start_method = start_method
        self._takes_work = takes_work

    @cached_property
    def clock(self) -> Clock:
        return open_clock(self.settings.clock_file)

    @cached_property
    def store(self) -> "Store":
        from loreweave.seams.storage.open_store import open_store

        return open_store(self.settings.data_dir, self.settings.database_url)

    @cached_property
    def embedder(self) -> "Embedder | None":
        from loreweave.seams.embedding.open_embedder import open_embedder

        return open_embedder(
            self.settings.embedder,
            openai_base_url=self.settings.openai_base_url or None,
            openai_api_key=self.settings.openai_api_key or None,
        )

    @cached_property
    def graphs(self) -> "GraphService":
        from loreweave.knowledge.graph.graph_service import GraphService
        from loreweave.knowledge.reading.limits import Limits

        settings = self.settings
        return GraphService(
            store=self.store,
            library=self._library,
            readers=self._readers,
            open_embedder=lambda: self.embedder,
            now=self._now,
            fail_at=self._fail_at,
            limits=Limits(settings.max_zip_bytes, settings.max_files, settings.max_markdown_bytes),
            archive_url=settings.github_archive_url,
        )

    @cached_property
    def retrieval(self) -> "RetrievalService":
        from loreweave.knowledge.retrieval.retrieval_service import RetrievalService

        return RetrievalService(self._library, lambda: self.embedder)

    @cached_property
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

    @cached_property
    def pages(self) -> "PageService":
        from loreweave.knowledge.asking.page_service import PageService

        return PageService(self.store, self._digests)

    @cached_property
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

    @cached_property
    def answers(self) -> "AnswerService":
        from loreweave.knowledge.asking.answer_service import AnswerService
        from loreweave.knowledge.asking.answers.answer_slots import AnswerSlots

        slots = AnswerSlots(self.settings.ask_concurrency)
        return AnswerService(self.asking, self.pages, lambda: self.model, slots, self.settings.ask_timeout_s)

    @cached_property
    def model(self) -> "LanguageModel | None":
        return self._open_model(self.settings.model)

    def _open_model(self, name: str) -> "LanguageModel | None":
        from loreweave.seams.models.open_model import ModelKeys, open_model

        settings = self.settings
        keys = ModelKeys(
            anthropic_key=settings.anthropic_api_key,
            anthropic_url=settings.anthropic_base_url,
            openai_key=settings.openai_api_key,
            openai_url=settings.openai_base_url,
            ollama_url=settings.ollama_base_url,
        )
        return open_model(name, keys)

    @cached_property
    def memory(self) -> "MemoryService":
        """Opening it erases what can no longer come back, before anybody is served."""
        from loreweave.memory.access_log import AccessLog
        from loreweave.memory.change import WRITES, MemoryTools
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
        from loreweave.memory.upkeep import Upkeep

        return Upkeep(self.memory)

    @cached_property
    def access(self) -> "AccessService":
        from loreweave.access.access_service import AccessService

        return AccessService(self.store, self.clock, self.settings.ingests_per_hour)

    @cached_property
    def routes(self) -> "RouteService":
        from loreweave.routing.route_service import RouteService
        from loreweave.routing.source_limits import SourceLimits

        return RouteService(
            read_files=lambda graph_id: self.graphs.source_files(graph_id),
            revision_of=lambda graph_id: self.graphs.revision(graph_id),
            limits=SourceLimits(self.settings.max_files, self.settings.max_markdown_bytes),
            open_embedder=lambda: self.embedder,
        )

    @cached_property
    def sessions(self) -> "SessionService":
        from loreweave.work.sessions.session_service import SessionService

        return SessionService(
            tools=self._session_tools,
            reader=self._log_reader,
            max_budget=self.settings.token_budget,
            forget=lambda session_id: self.engine.forget(session_id),
            fail_at=self._fail_at,
        )

    @cached_property
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

    @cached_property
    def workshop(self) -> "Workshop":
        """Where sessions are worked on; closed with the application."""
        from loreweave.seams.engine.open_engine import open_engine
        from loreweave.work.sessions.run_session import SessionRunner
        from loreweave.work.sessions.workshop import Workshop
        from loreweave.work.skill_plans.skill_session import SkillSession

        settings = self.settings
        skill = SkillSession(settings.ask_user_timeout_s, self._let_agent_work)
        runner = SessionRunner(self._session_tools, {"skill": skill}, lambda: self.engine.executor_id)
        return Workshop(
            self._session_tools,
            lambda: open_engine(settings.data_dir, settings.database_url, runner, takes_work=self._takes_work),
            takes_work=self._takes_work,
        )

    @cached_property
    def _session_tools(self) -> "SessionTools":
        from loreweave.work.sessions.session_bell import SessionBell
        from loreweave.work.sessions.session_log import SessionLog
        from loreweave.work.sessions.session_run import SessionTools

        bell = SessionBell(self.store)
        return SessionTools(self.store, self.clock, bell, SessionLog(self.store, self.clock, bell))

    @cached_property
    def _log_reader(self) -> "LogReader":
        from loreweave.work.sessions.follow_events import LogReader

        return LogReader(self.store, self._session_tools.bell)

    def latest_graph(self) -> str:
        """The id of the graph ingested last; asked before most reads, so it opens no more than they do."""
        return self._library.latest()

    def close(self) -> None:
        """Lets go of what was opened."""
        for name in ("workshop", "_log_reader", "_session_tools", "_readers", "memory", "store"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()

    async def _let_agent_work(self, run: "SessionRun", key: str, turn: "SkillTurn") -> str:
        from loreweave.work.skill_plans.plan_failure import PlanFailure

        raise PlanFailure("No model is set: LORE_MODEL=demo needs no key.")

    def _now(self) -> str:
        return format_time(self.clock.now())

    @cached_property
    def _digests(self) -> "DigestLibrary":
        from loreweave.knowledge.asking.digest_library import DigestLibrary

        return DigestLibrary(self.store, lambda: self.embedder, self.settings.ask_graph, self._run_readers)

    @cached_property
    def _library(self) -> "GraphLibrary":
        from loreweave.knowledge.graph.graph_library import GraphLibrary

        return GraphLibrary(self.store)

    def _run_readers(self, work: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterable[Any]:
        """As map, in the processes that read notes where there is much to do."""
        return self._readers.run(work, chunks, len)

    @cached_property
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
