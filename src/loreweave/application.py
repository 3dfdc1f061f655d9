"""The composition root: the only place that knows which implementation was chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from loreweave.clock import DAY
from loreweave.parts import Parts, fail_at, let_go, now_of, open_named_model, opened_by, run_readers, workspace_root
from loreweave.settings import Settings

if TYPE_CHECKING:
    from loreweave.access.access_service import AccessService
    from loreweave.contracts.session import SessionView
    from loreweave.contracts.skill_graph import PageSettings
    from loreweave.knowledge.answers.answer_question import AnswerSlots
    from loreweave.knowledge.answers.answer_service import AnswerService
    from loreweave.knowledge.answers.ask_service import AskService
    from loreweave.knowledge.digest.build_digest import BuildOptions, Distil
    from loreweave.knowledge.digest.digest_service import DigestService
    from loreweave.knowledge.digest.page_service import PageService
    from loreweave.knowledge.graph.graph_service import GraphService
    from loreweave.knowledge.packs.retrieval_service import RetrievalService
    from loreweave.memory.memory_service import MemoryService, Upkeep
    from loreweave.routing.route_service import RouteService
    from loreweave.seams.embedding.embedder import Embedder
    from loreweave.seams.engine.engine import Engine
    from loreweave.work.builds.build import BuildTools
    from loreweave.work.builds.build_service import BuildService
    from loreweave.work.chat.chat_service import ChatService
    from loreweave.work.chat.thread_service import ThreadService
    from loreweave.work.folder_watches import FolderWatches
    from loreweave.work.graph_history import GraphHistory
    from loreweave.work.grounding.build_knowledge import KnowledgeHouse
    from loreweave.work.grounding.provenance_service import ProvenanceService
    from loreweave.work.hardware.hardware_service import HardwareService
    from loreweave.work.library_service import LibraryService
    from loreweave.work.sessions.session_service import SessionService
    from loreweave.work.sessions.workshop import Workshop
    from loreweave.work.skill_plans.skill_service import SkillService
    from loreweave.work.skill_plans.skill_session import SkillAgent
    from loreweave.work.workspaces.workspace_service import WorkspaceService


def _graphs(application: "Application") -> "GraphService":
    from loreweave.knowledge.documents.source_paths import ReadingLimits
    from loreweave.knowledge.graph.graph_library import IngestTools
    from loreweave.knowledge.graph.graph_service import GraphService

    settings, library = application.settings, application.graph_library
    tools = IngestTools(application.store, library, application.readers, now_of(application), fail_at(settings))
    limits = ReadingLimits(settings.max_zip_bytes, settings.max_files, settings.max_markdown_bytes)
    return GraphService(tools, lambda: application.indexes, limits, settings.github_archive_url)


def _retrieval(application: "Application") -> "RetrievalService":
    from loreweave.knowledge.packs.retrieval_service import RetrievalService

    return RetrievalService(application.graph_library, lambda: application.indexes)


def _asking(application: "Application") -> "AskService":
    from loreweave.knowledge.answers.ask_service import AskService, QuestionLog

    log = QuestionLog(application.store, now_of(application), keeps=application.settings.ask_log == "on")
    return AskService(application.digest_library, application.settings.model, log)


def asking_file(application: "Application", digest: bytes) -> "AskService":
    """The same over a digest file, without any store."""
    from loreweave.knowledge.answers.ask_service import AskService
    from loreweave.knowledge.digest.opened_digest import DigestFileLibrary

    return AskService(DigestFileLibrary(digest, application.embedder), application.settings.model)


def _pages(application: "Application") -> "PageService":
    from loreweave.knowledge.digest.page_service import PageService

    return PageService(application.store, application.digest_library)


def _digests(application: "Application") -> "DigestService":
    from loreweave.knowledge.digest.digest_service import DigestService

    cache = application.settings.data_dir / "digests"
    open_distil = partial(_open_distil, application.settings)
    return DigestService(
        lambda: application.store, lambda: application.digest_library, open_distil, cache, run_readers(application)
    )


def _open_distil(settings: Settings, name: str | None) -> "Distil | None":
    model = open_named_model(settings, settings.model if name is None else name)
    if model is None:
        return None
    from loreweave.knowledge.answers.distil_sections import distil_sections

    return partial(distil_sections, model)


def build_options(pages: "PageSettings | None" = None, **options: Any) -> "BuildOptions":
    """What the build of a digest is asked for; `pages` where the addresses of a folder's pages are given."""
    from loreweave.knowledge.digest.build_digest import BuildOptions
    from loreweave.knowledge.graph.stored_notes import settings_of

    return BuildOptions(settings=settings_of(pages.model_dump()) if pages else None, **options)


def _answers(application: "Application") -> "AnswerService":
    from loreweave.knowledge.answers.answer_service import AnswerService

    return AnswerService(
        application.asking,
        application.pages,
        lambda: application.model,
        application.answer_slots,
        application.settings.ask_timeout_s,
    )


def _answer_slots(application: "Application") -> "AnswerSlots":
    """Answers and turns of conversations take the same places."""
    from loreweave.knowledge.answers.answer_question import AnswerSlots

    return AnswerSlots(application.settings.ask_concurrency)


def _chat(application: "Application") -> "ChatService":
    from loreweave.work.chat.chat_reader import ReadingRooms
    from loreweave.work.chat.chat_service import ChatService

    rooms = ReadingRooms(
        asking=application.asking,
        pages=application.pages,
        retrieval=application.retrieval,
        routes=application.routes,
        open_memory=lambda: application.memory,
    )
    return ChatService(rooms, lambda: application.model, application.answer_slots, application.settings.ask_timeout_s)


def _threads(application: "Application") -> "ThreadService":
    from loreweave.work.chat.thread_service import ThreadService

    return ThreadService(application.store, now_of(application))


def _memory(application: "Application") -> "MemoryService":
    """Opening it erases what can no longer come back, before anybody is served."""
    from loreweave.memory.change import WRITES, AccessLog, MemoryTools
    from loreweave.memory.memory_service import MemoryService
    from loreweave.memory.search.memory_index_library import MemoryIndexLibrary

    store = application.store
    service = MemoryService(
        MemoryTools(
            store=store,
            clock=application.clock,
            library=MemoryIndexLibrary(store, lambda: application.embedder),
            accesses=AccessLog(store, WRITES),
            recovery=application.settings.recovery_days * DAY,
            fail_at=fail_at(application.settings),
        )
    )
    service.sweep()
    return service


def upkeep(application: "Application") -> "Upkeep":
    """What a server does for its memories beside serving, while it is entered."""
    from loreweave.memory.memory_service import Upkeep

    return Upkeep(application.memory)


def _library(application: "Application") -> "LibraryService":
    from loreweave.work.library_service import LibraryService
    from loreweave.work.workspaces.workspace_archive import WorkspaceArchive

    settings, root = application.settings, workspace_root(application.settings)
    archive = WorkspaceArchive(root, whole=root.is_relative_to(settings.data_dir))
    return LibraryService(
        application.store,
        application.clock,
        settings.data_dir,
        archive,
        fail_at(settings),
        watches=lambda: application.watches,
    )


def _watches(application: "Application") -> "FolderWatches":
    from loreweave.work.folder_watches import FolderWatches

    return FolderWatches(application.store, lambda *place, **how: application.graphs.ingest_folder(*place, **how))


def _history(application: "Application") -> "GraphHistory":
    from loreweave.work.graph_history import GraphHistory

    return GraphHistory(application.store)


def _access(application: "Application") -> "AccessService":
    from loreweave.access.access_service import AccessService

    return AccessService(application.store, application.clock, application.settings.ingests_per_hour)


def _routes(application: "Application") -> "RouteService":
    from loreweave.routing.folders.route_sources import SourceLimits
    from loreweave.routing.route_service import RouteService

    settings = application.settings
    return RouteService(
        read_files=lambda graph_id: application.graphs.source_files(graph_id),
        revision_of=lambda graph_id: application.graphs.revision(graph_id),
        limits=SourceLimits(settings.max_files, settings.max_markdown_bytes),
        open_embedder=lambda: _route_embedder(application),
    )


def _route_embedder(application: "Application") -> "Embedder | None":
    """Routes compare one short text with others, for which the plain table is the better measure."""
    from loreweave.seams.embedding.open_embedder import open_embedder

    return open_embedder("static") if application.settings.embedder.strip() == "two-tower" else application.embedder


def _sessions(application: "Application") -> "SessionService":
    from loreweave.work.sessions.session_service import SessionService

    def forget(session_id: str) -> None:
        application.hardware.stop(session_id)
        application.workspaces.remove_scratch(session_id)
        application.workspaces.remove_build_home(session_id)
        application.knowledge.forget(session_id)
        application.workshop.engine.forget(session_id)

    return SessionService(
        tools=application.session_tools,
        reader=application.log_reader,
        max_budget=application.settings.token_budget,
        forget=forget,
        fail_at=fail_at(application.settings),
        address=lambda view: _address(application, view),
        moved=application.workspaces.moved,
        on_stop=lambda session_id: application.hardware.stop(session_id),
    )


def _address(application: "Application", view: "SessionView") -> str | None:
    """Only who goes on running shows pages again: an address that ends with its command helps nobody."""
    is_shown = application.takes_work or application.previews.shown(view.id)
    return application.builds.address(view) if is_shown else None


def _skills(application: "Application") -> "SkillService":
    from loreweave.work.skill_plans.skill_service import SkillService

    return SkillService(
        sessions=application.sessions,
        log=application.session_tools.log,
        engine=lambda: application.workshop.engine,
        max_budget=application.settings.token_budget,
        fail_at=fail_at(application.settings),
        open_library=lambda: application.graph_library,
    )


def _builds(application: "Application") -> "BuildService":
    from loreweave.work.builds.build_service import BuildService

    return BuildService(
        sessions=application.sessions,
        log=application.session_tools.log,
        engine=lambda: application.workshop.engine,
        workspaces=application.workspaces,
        programs=lambda: application.programs,
        open_model=lambda: application.shared_model,
        max_budget=application.settings.token_budget,
        fail_at=fail_at(application.settings),
        show_page=lambda session_id, folder, root: application.previews.show(session_id, folder, root),
        knows_port=lambda port: application.hardware.knows_port(port),
        knowledge=lambda: application.knowledge,
    )


def _hardware(application: "Application") -> "HardwareService":
    from loreweave.work.hardware.hardware_service import HardwareService

    return HardwareService(
        sessions=application.sessions,
        log=application.session_tools.log,
        workspaces=application.workspaces,
        open_sandbox=lambda: application.sandbox,
        open_programs=lambda: application.programs,
        ports=application.settings.serial_ports,
        firmware=application.settings.firmware,
        clock=application.clock,
    )


def _workshop(application: "Application") -> "Workshop":
    """Where sessions are worked on; closed with the application. What works there is loaded with the engine."""
    from loreweave.work.sessions.workshop import Workshop

    settings = application.settings

    async def hang_up() -> None:
        model = let_go(application, "shared_model")
        if model is not None:
            await model.close()

    def clear(session_id: str) -> None:
        application.workspaces.remove_scratch(session_id)
        application.knowledge.let_go(session_id)

    def start() -> "Engine":
        from loreweave.seams.engine.open_engine import open_engine
        from loreweave.work.builds.build_pipeline import build_session
        from loreweave.work.sessions.session_runner import SessionRunner
        from loreweave.work.skill_plans.skill_session import skill_session

        runner = SessionRunner(
            application.session_tools,
            {
                "skill": partial(skill_session, _skill_agent(application)),
                "build": partial(build_session, _build_tools(application)),
            },
            lambda: application.workshop.executor_id,
            clear=clear,
        )
        return open_engine(
            settings.data_dir, settings.database_url, runner, takes_work=application.takes_work, let_go=hang_up
        )

    return Workshop(application.session_tools, start, takes_work=application.takes_work)


def _knowledge(application: "Application") -> "KnowledgeHouse":
    from loreweave.work.grounding.build_knowledge import KnowledgeHouse

    return KnowledgeHouse(
        store=application.store,
        clock=application.clock,
        open_retrieval=lambda: application.retrieval,
        open_routes=lambda: application.routes,
        open_memory=lambda: application.memory,
        docs_graph=application.settings.ask_graph,
        forget_index=lambda key: application.indexes.forget(key),
    )


def _provenance(application: "Application") -> "ProvenanceService":
    from loreweave.work.grounding.provenance_service import ProvenanceService

    return ProvenanceService(application.sessions, application.knowledge)


def _skill_agent(application: "Application") -> "SkillAgent":
    from loreweave.work.agents.agent_tools import TurnLimits
    from loreweave.work.grounding.task_knowledge import TaskKnowledge
    from loreweave.work.skill_plans.skill_session import SkillAgent

    settings = application.settings
    return SkillAgent(
        open_model=lambda: application.shared_model,
        open_sandbox=lambda: application.sandbox,
        open_programs=lambda: application.programs,
        workspaces=application.workspaces,
        lookups_for=lambda *place: TaskKnowledge(application.knowledge, *place).lookups(),
        limits=TurnLimits(seconds=settings.agent_timeout_s, token_budget=settings.token_budget),
        ask_seconds=settings.ask_user_timeout_s,
        clock=application.clock,
    )


def _build_tools(application: "Application") -> "BuildTools":
    from loreweave.work.builds.build import BuildTools

    return BuildTools(
        **vars(_skill_agent(application)),  # agents of builds have what agents of plans have
        parallel=application.settings.max_parallel_tasks,
        fail_at=fail_at(application.settings),
        show_page=lambda session_id, folder, root: application.previews.show(session_id, folder, root),
        open_hardware=lambda: application.hardware,
        knowledge=application.knowledge,
        open_narrator=lambda: application.narrator,
        narrator_pause=application.settings.narrator_debounce_s,
        narrator_interval=application.settings.narrator_interval_s,
    )


def _workspaces(application: "Application") -> "WorkspaceService":
    from loreweave.work.workspaces.workspace_service import WorkspaceService

    return WorkspaceService(workspace_root(application.settings))


@dataclass(frozen=True, eq=False)
class Application(Parts):
    """The services, each opened when first asked for: a cold command pays only for what it uses."""

    graphs: "GraphService" = opened_by(_graphs)
    retrieval: "RetrievalService" = opened_by(_retrieval)
    asking: "AskService" = opened_by(_asking)
    answer_slots: "AnswerSlots" = opened_by(_answer_slots)
    answers: "AnswerService" = opened_by(_answers)
    chat: "ChatService" = opened_by(_chat)
    threads: "ThreadService" = opened_by(_threads)
    pages: "PageService" = opened_by(_pages)
    digests: "DigestService" = opened_by(_digests)
    memory: "MemoryService" = opened_by(_memory)
    routes: "RouteService" = opened_by(_routes)
    access: "AccessService" = opened_by(_access)
    library: "LibraryService" = opened_by(_library)
    history: "GraphHistory" = opened_by(_history)
    watches: "FolderWatches" = opened_by(_watches)
    sessions: "SessionService" = opened_by(_sessions)
    skills: "SkillService" = opened_by(_skills)
    builds: "BuildService" = opened_by(_builds)
    hardware: "HardwareService" = opened_by(_hardware)
    knowledge: "KnowledgeHouse" = opened_by(_knowledge)
    provenance: "ProvenanceService" = opened_by(_provenance)
    workshop: "Workshop" = opened_by(_workshop)
    workspaces: "WorkspaceService" = opened_by(_workspaces)
    close: Callable[[], None] = opened_by(lambda application: partial(_close, application))


def open_application(settings: Settings, *, start_method: str = "fork", takes_work: bool = True) -> Application:
    """`start_method`: how reader processes begin; a server, which has threads, must not fork. `takes_work`: whether
    it goes on with sessions that other processes left."""
    return Application(settings, start_method, takes_work)


def _close(application: Application) -> None:
    """Lets go of what was opened."""
    names = "key_check", "workshop", "hardware", "previews", "log_reader", "session_tools", "readers", "memory", "store"
    for name in names:
        opened = let_go(application, name)
        if opened is not None:
            opened.close()
