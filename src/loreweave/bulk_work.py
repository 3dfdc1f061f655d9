"""Much work at once: cut into parts that processes run, and done without looking for garbage."""

import gc
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from loreweave.errors import Unavailable

if TYPE_CHECKING:  # a process that only reads does not load the machinery of processes
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Chunk = TypeVar("Chunk", bound=Sized)
Made = TypeVar("Made")

PROCESSES = 2
AT_ONCE = 4  # chunks under way: enough to keep the processes busy, few enough to bound the memory
ALONE_BELOW = 192 * 1024  # bytes a chunk may have to be read right here when it is the only one
# As the built-in map: results in order. Processes run it where there is much to do.
Run = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@contextmanager
def without_collection() -> Iterator[None]:
    """A build makes millions of values that all stay: looking for garbage among them again and again finds none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Batch(Generic[Item]):
    """Some of many things, for any process to work on; as long as there is to read in them."""

    items: list[Item]
    size: int

    def __len__(self) -> int:
        return self.size


def in_batches(items: Iterable[Item], size_of: Callable[[Item], int], largest: int, most: int) -> Iterator[Batch[Item]]:
    """`most` at a time, together not larger than the `largest` size unless one alone is."""
    batch: list[Item] = []
    total = 0
    for item in items:
        size = size_of(item)
        if batch and (total + size > largest or len(batch) >= most):
            yield Batch(batch, total)
            batch, total = [], 0
        batch.append(item)
        total += size
    if batch:
        yield Batch(batch, total)


class NoteReaders:
    """Processes that read notes, so that parsing neither blocks the server nor waits for one core. They work through
    chunks in order; small work is done in place, and they start with the first large piece of work."""

    def __init__(self, start_method: str = "forkserver", preloaded: Sequence[str] = ()) -> None:
        """`preloaded`: modules that all processes need, imported once for all of them."""
        self._start_method = start_method
        self._preloaded = list(preloaded)
        self._pool: ProcessPoolExecutor | None = None
        self._starting = threading.Lock()

    def run(
        self, work: Callable[[Chunk], Made], chunks: Iterable[Chunk], size: Callable[[Chunk], int] = len
    ) -> Iterator[Made]:
        """As map: what a function of a module makes of each chunk, in order."""
        under_way: deque[Future[Made]] = deque()
        for chunk, is_only in _with_only(chunks):
            if is_only and size(chunk) < ALONE_BELOW:
                yield work(chunk)
                return
            under_way.append(self._processes().submit(work, chunk))
            if len(under_way) >= AT_ONCE:
                yield self._result(under_way.popleft())
        while under_way:
            yield self._result(under_way.popleft())

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _result(self, future: "Future[Made]") -> Made:
        from concurrent.futures.process import BrokenProcessPool

        try:
            return future.result()
        except BrokenProcessPool as trouble:
            self._pool = None  # the next ingest starts new processes
            raise Unavailable("A process that reads notes has died; try again.", part="readers") from trouble

    def _processes(self) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        with self._starting:
            if self._pool is None:
                context = multiprocessing.get_context(self._start_method)
                context.set_forkserver_preload(self._preloaded)
                self._pool = ProcessPoolExecutor(PROCESSES, context, _end_with_parent)
            return self._pool


def _with_only(chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, bool]]:
    """Each chunk, and whether it is the first and last one."""
    iterator = iter(chunks)
    opening = list(islice(iterator, 2))
    yield from ((chunk, len(opening) == 1) for chunk in chain(opening, iterator))


def _end_with_parent() -> None:
    """A parent killed with -9 cannot tell its processes to stop; its end of a pipe does, though it be a zombie."""
    import signal
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle

    def watch() -> None:
        if parent := parent_process():
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
