"""What services are made of: the implementations that the settings chose, and what several services share."""

import os
import signal
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from loreweave.clock import Clock, format_time, open_clock
from loreweave.settings import Settings

if TYPE_CHECKING:
    from loreweave.bulk_work import NoteReaders
    from loreweave.knowledge.digest.digest_library import DigestLibrary
    from loreweave.knowledge.graph.graph_library import GraphLibrary
    from loreweave.knowledge.packs.index_library import IndexLibrary
    from loreweave.seams.embedding.embedder import Embedder
    from loreweave.seams.host.preview_server import PreviewServer
    from loreweave.seams.host.programs import Programs
    from loreweave.seams.host.sandbox import Sandbox
    from loreweave.seams.models.key_check import KeyCheck
    from loreweave.seams.models.language_model import LanguageModel
    from loreweave.seams.models.open_model import ModelKeys, SharedModel
    from loreweave.seams.storage.store import Store
    from loreweave.work.sessions.session_bell import LogReader
    from loreweave.work.sessions.session_run import SessionTools

Opened = TypeVar("Opened")


class _OpenedOnce(Generic[Opened]):
    """A field that is opened when first asked for, once however many threads ask: two bells would not hear one
    another."""

    def __init__(self, opener: Callable[[Any], Opened]) -> None:
        self._open = opener

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, bundle: Any, owner: type[Any] | None = None) -> Any:
        if bundle is None:
            return self
        with bundle.opening:
            if self._name not in bundle.__dict__:
                bundle.__dict__[self._name] = self._open(bundle)
            return bundle.__dict__[self._name]


def opened_by(opener: Callable[[Any], Opened]) -> Opened:
    """A field of a frozen bundle: a cold command pays only for what it uses."""
    return cast(Opened, field(init=False, repr=False, default=_OpenedOnce(opener)))


def workspace_root(settings: Settings) -> Path:
    return settings.workspace_root or settings.data_dir / "workspaces"


def _store(parts: "Parts") -> "Store":
    from loreweave.seams.storage.open_store import open_store

    return open_store(parts.settings.data_dir, parts.settings.database_url)


def _embedder(parts: "Parts") -> "Embedder | None":
    from loreweave.seams.embedding.open_embedder import open_embedder

    return open_embedder(
        parts.settings.embedder,
        openai_base_url=parts.settings.openai_base_url or None,
        openai_api_key=parts.settings.openai_api_key or None,
    )


def open_named_model(settings: Settings, name: str) -> "LanguageModel | None":
    from loreweave.seams.models.open_model import open_model

    return open_model(name, _model_keys(settings))


def _model_keys(settings: Settings) -> "ModelKeys":
    from loreweave.seams.models.open_model import ModelKeys

    return ModelKeys(
        anthropic_key=settings.anthropic_api_key,
        anthropic_url=settings.anthropic_base_url,
        openai_key=settings.openai_api_key,
        openai_url=settings.openai_base_url,
        ollama_url=settings.ollama_base_url,
    )


def _shared_model(parts: "Parts") -> "SharedModel | None":
    from loreweave.seams.models.open_model import SharedModel

    return SharedModel(parts.model) if parts.model is not None else None


def _narrator(parts: "Parts") -> "LanguageModel | None":
    """Another model of the same provider; where there is none, built-in lines are told."""
    provider = parts.settings.model.partition(":")[0]
    name = f"{provider}:{parts.settings.narrator_model}" if provider not in ("none", "demo") else "none"
    return open_named_model(parts.settings, name)


def _key_check(parts: "Parts") -> "KeyCheck":
    from loreweave.seams.models.key_check import KeyCheck

    return KeyCheck(parts.settings.model, _model_keys(parts.settings), parts.clock)


def _programs(parts: "Parts") -> "Programs":
    from loreweave.seams.host.programs import find_programs

    return find_programs(outside=(workspace_root(parts.settings),))


def _sandbox(parts: "Parts") -> "Sandbox":
    from loreweave.seams.host.open_sandbox import open_sandbox

    settings = parts.settings
    return open_sandbox(settings.sandbox, parts.programs, hidden=(settings.data_dir, workspace_root(settings)))


def _previews(_: "Parts") -> "PreviewServer":
    from loreweave.seams.host.preview_server import PreviewServer

    return PreviewServer()


def _git_version(_: "Parts") -> str | None:
    from loreweave.seams.host.programs import git_version

    return git_version()


def _graph_library(parts: "Parts") -> "GraphLibrary":
    from loreweave.knowledge.graph.graph_library import GraphLibrary

    return GraphLibrary(parts.store)


def _digest_library(parts: "Parts") -> "DigestLibrary":
    from loreweave.knowledge.digest.digest_library import DigestLibrary

    return DigestLibrary(parts.store, parts.indexes, parts.settings.ask_graph)


def _indexes(parts: "Parts") -> "IndexLibrary":
    from loreweave.knowledge.packs.index_library import IndexLibrary

    folder = parts.settings.data_dir / "indexes"
    return IndexLibrary(parts.store, folder, lambda: parts.embedder, run_readers(parts), fail_at(parts.settings))


def _readers(parts: "Parts") -> "NoteReaders":
    from loreweave.bulk_work import NoteReaders

    return NoteReaders(parts.start_method, ["loreweave.knowledge.graph.read_chunk"])


def _session_tools(parts: "Parts") -> "SessionTools":
    from loreweave.work.sessions.session_bell import SessionBell
    from loreweave.work.sessions.session_log import SessionLog
    from loreweave.work.sessions.session_run import SessionTools

    bell = SessionBell(parts.store)
    return SessionTools(parts.store, parts.clock, bell, SessionLog(parts.store, parts.clock, bell))


def _log_reader(parts: "Parts") -> "LogReader":
    from loreweave.work.sessions.session_bell import LogReader

    return LogReader(parts.store, parts.session_tools.bell)


@dataclass(frozen=True, eq=False)
class Parts:
    """Each opened when first asked for."""

    settings: Settings
    start_method: str
    takes_work: bool
    opening: Any = field(default_factory=threading.RLock, repr=False)
    clock: Clock = opened_by(lambda parts: open_clock(parts.settings.clock_file))
    store: "Store" = opened_by(_store)
    embedder: "Embedder | None" = opened_by(_embedder)
    model: "LanguageModel | None" = opened_by(lambda parts: open_named_model(parts.settings, parts.settings.model))
    shared_model: "SharedModel | None" = opened_by(_shared_model)
    narrator: "LanguageModel | None" = opened_by(_narrator)
    key_check: "KeyCheck" = opened_by(_key_check)
    programs: "Programs" = opened_by(_programs)
    sandbox: "Sandbox" = opened_by(_sandbox)
    previews: "PreviewServer" = opened_by(_previews)
    git_version: str | None = opened_by(_git_version)
    graph_library: "GraphLibrary" = opened_by(_graph_library)
    digest_library: "DigestLibrary" = opened_by(_digest_library)
    indexes: "IndexLibrary" = opened_by(_indexes)
    readers: "NoteReaders" = opened_by(_readers)
    session_tools: "SessionTools" = opened_by(_session_tools)
    log_reader: "LogReader" = opened_by(_log_reader)


def now_of(parts: Parts) -> Callable[[], str]:
    return lambda: format_time(parts.clock.now())


def run_readers(parts: Parts) -> Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]:
    """As map, in the processes that read notes where there is much to do."""
    return lambda work, chunks: parts.readers.run(work, chunks)


def fail_at(settings: Settings) -> Callable[[str], None]:
    """Dies as hard as a power cut would, where a test has asked for it."""

    def fail(point: str) -> None:
        if point == settings.failpoint:
            os.kill(os.getpid(), signal.SIGKILL)

    return fail


def let_go(bundle: Any, name: str) -> Any:
    """What was opened under this name, no longer kept; nothing where it never was."""
    return bundle.__dict__.pop(name, None)
