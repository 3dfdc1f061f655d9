"""A process that has loaded all there is and forks: each child is one program, in the state a new interpreter is in.

Told over a socket that it is given: what to run, and the three streams. Answers the child's id, later its end and how
long it kept processors busy.
"""

import array
import atexit
import builtins
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import termios
import threading
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn

LIBRARIES = (
    "Stemmer",
    "anthropic",
    "anyio._backends._asyncio",
    "concurrent.futures.process",
    "dbos._sys_db_sqlite",
    "encodings.utf_8_sig",
    "genai_prices.data",
    "genai_prices.decompose",
    "genai_prices.validation",
    "httpcore",
    "openai",
    "pydantic_ai.models.anthropic",
    "pydantic_ai.models.openai",
    "pydantic_ai.providers.anthropic",
    "pydantic_ai.providers.ollama",
    "pydantic_ai.providers.openai",
    "mcp.client.stdio",
    "numpy.ma",
    "platformdirs.unix",
    "rich._emoji_codes",
    "sqlalchemy.dialects.sqlite",
    "tests.pace",
    "typer._adapters",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
)
ORDER_BYTES = 1 << 20


def load_all() -> None:
    """Once for all who are forked, who also need not look through it for what may be thrown away."""
    gc.disable()  # nothing that is loaded goes away: to look for what does would take a quarter of the time
    import loreweave

    for module in pkgutil.walk_packages(loreweave.__path__, "loreweave."):
        importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    for program in ("lore", "ask_program"):
        _read_words(
            loreweave.faces.cli.program.commands_of(importlib.import_module(f"loreweave.faces.cli.{program}").app)
        )
    _build_models()
    assert threading.active_count() == 1, "a process with threads must not fork"
    gc.freeze()
    gc.enable()


def _read_words(command: Any) -> None:
    for parameter in command.params:
        if hasattr(parameter, "get_runtime_param"):
            parameter.get_runtime_param()
    for below in getattr(command, "commands", {}).values():
        _read_words(below)


def _build_models() -> None:
    """What is put off until it is first asked for: each program would build it for itself."""
    from anthropic._models import construct_type
    from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent
    from pydantic import BaseModel

    for model in _all_below(BaseModel):
        if model.__module__.startswith("loreweave."):
            model.model_rebuild()
    said = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": ""}], "usage": {}}
    construct_type(type_=BetaMessage, value=said)
    for event in ({"type": "message_start", "message": said}, {"type": "content_block_start", "content_block": {}}):
        construct_type(type_=BetaRawMessageStreamEvent, value=event)


def _all_below(kind: type) -> Iterator[Any]:
    for below in kind.__subclasses__():
        yield below
        yield from _all_below(below)


def be_fork_server(descriptor: int) -> NoReturn:
    """Goes on in every program that is forked, and ends with it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
    todo = serve(descriptor)
    try:
        run_program(todo)
        raise SystemExit
    except SystemExit as ended:
        end_quickly(ended)


def serve(descriptor: int) -> dict[str, Any]:
    """Answers in a child alone, with what it shall do; the process itself ends when whoever started it has gone."""
    listening = socket.socket(fileno=descriptor)
    ear, mouth = os.pipe()
    for end in (ear, mouth):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(mouth)
    callers: dict[int, socket.socket] = {}
    while True:
        told, _, _ = select.select([0, ear, listening], [], [])
        if 0 in told:
            sys.exit(0)
        if ear in told:
            os.read(ear, 4096)
            _tell_ends(callers)
        if listening in told:
            caller, _ = listening.accept()
            order, streams, _, _ = socket.recv_fds(caller, ORDER_BYTES, 3)
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for connection in (listening, caller, *callers.values()):
                    connection.close()
                for end in (ear, mouth):
                    os.close(end)
                return _settle(json.loads(order), streams)
            for stream in streams:
                os.close(stream)
            callers[child] = caller
            caller.send(str(child).encode())


def _tell_ends(callers: dict[int, socket.socket]) -> None:
    while callers:
        child, status, used = os.wait4(-1, os.WNOHANG)
        if child == 0:
            return
        with callers.pop(child) as caller:
            try:
                caller.send(f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}".encode())
            except BrokenPipeError:
                continue  # nobody waits for it


def _settle(order: dict[str, Any], streams: "list[int] | array.array[int]") -> dict[str, Any]:
    """Streams, folder and environment as a new process has them."""
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    sys.stdin = sys.__stdin__ = _stream(0, "r", -1)
    sys.stdout = sys.__stdout__ = _stream(1, "w", 1 if os.isatty(1) else -1)
    sys.stderr = sys.__stderr__ = _stream(2, "w", 1, errors="backslashreplace")
    if order["takes_terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if order["warnings"]:
        action, _, category = order["warnings"].partition("::")
        warnings.simplefilter(action, getattr(builtins, category or "Warning"))
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    return order


def _stream(descriptor: int, mode: str, buffering: int, errors: str = "strict") -> Any:
    return open(descriptor, mode, buffering, encoding="utf-8", errors=errors, closefd=False)


def run_program(order: dict[str, Any]) -> None:
    program, sys.argv = order["program"], ["-c", *order["arguments"]]
    if order["kind"] == "-c":
        sys.path[0] = ""
        exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})
        return
    sys.path[0] = order["cwd"]
    sys.modules.pop(program, None)  # it is run, not imported
    runpy.run_module(program, run_name="__main__", alter_sys=True)


def end_quickly(end: SystemExit) -> NoReturn:
    """All that a process does at its end but the taking apart of everything that was loaded, which takes longest."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(1 if isinstance(end.code, str) else end.code or 0)


if __name__ == "__main__":
    load_all()
    be_fork_server(int(sys.argv[1]))
