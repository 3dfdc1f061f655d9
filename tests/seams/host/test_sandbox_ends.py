"""When a command is over, however it ends, no process of it is alive; and no command takes more than its share.

Every process of a command holds the writing end of a pipe with a name: when its reader meets the end, all are gone.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.pace import PATIENCE, slowness
from tests.seams.host.command_runs import living_with, python, survivors

from loreweave.seams.host.count_use import descendants
from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.programs import find_programs
from loreweave.seams.host.sandbox import Command, CommandLimits, Sandbox

STUBBORN = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
pipe = os.open("alive", os.O_WRONLY)
os.set_inheritable(pipe, True)
def stay():
    os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(10**6)", sys.argv[1]], {})
if os.fork() == 0:
    stay()                       # a child
if os.fork() == 0:
    os.setsid()                  # a grandchild that left session, group and parent, and forgot its environment
    if os.fork() == 0:
        os.setsid()
        stay()
    os._exit(0)
os.wait()
os.write(pipe, b"ready")
"""
WAITING = STUBBORN + "stay()\n"


@pytest.fixture
def alive(tmp_path: Path) -> Path:
    """A pipe in the command's folder."""
    os.mkfifo(tmp_path / "alive")
    return tmp_path / "alive"


def release(pipe: Path) -> None:
    """Lets a reader go that no command ever wrote to."""
    os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))


def command(code: str, token: str, folder: Path, **order: float) -> Command:
    return Command((sys.executable, "-c", code, token), folder, **order)  # type: ignore[arg-type]


@pytest.mark.holds("session.host.no-survivors")
def test_processes_left_behind_die_with_the_command(sandbox: Sandbox, alive: Path, unguessable: str) -> None:
    async def leave() -> bytes:
        reading = asyncio.create_task(asyncio.to_thread(alive.read_bytes))
        result = await sandbox.run(command(STUBBORN, unguessable, alive.parent))
        assert survivors(unguessable) == []
        assert result.exit_code == 0
        release(alive)
        return await reading

    assert asyncio.run(leave()) == b"ready"


@pytest.mark.holds("session.host.no-survivors", "session.host.time")
def test_time_runs_out_for_all_of_its_processes(sandbox: Sandbox, alive: Path, unguessable: str) -> None:
    async def overstay() -> bytes:
        reading = asyncio.create_task(asyncio.to_thread(alive.read_bytes))
        result = await sandbox.run(command(WAITING, unguessable, alive.parent, seconds=3 * slowness(time.monotonic)))
        assert survivors(unguessable) == []
        assert (result.exit_code, result.timed_out) == (None, True)
        release(alive)
        return await reading

    assert asyncio.run(overstay()) == b"ready"


@pytest.mark.holds("session.host.no-survivors")
def test_a_cancelled_command_is_gone_when_the_cancellation_arrives(
    sandbox: Sandbox, alive: Path, unguessable: str
) -> None:
    async def cancel() -> bytes:
        running = asyncio.create_task(sandbox.run(command(WAITING, unguessable, alive.parent)))
        with await asyncio.to_thread(alive.open, "rb", 0) as reader:
            ready = await asyncio.to_thread(reader.read, 5)
            assert living_with(unguessable) != []
            running.cancel()
            await asyncio.sleep(0)
            running.cancel()  # an impatient caller changes nothing
            with pytest.raises(asyncio.CancelledError):
                await running
            assert survivors(unguessable) == []
            return ready + await asyncio.to_thread(reader.read)

    assert asyncio.run(cancel()) == b"ready"


SERVER = """
import asyncio, sys
from pathlib import Path
from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.sandbox import Command
_, setting, folder, code, token = sys.argv
network = setting == "required"
asyncio.run(open_sandbox(setting).run(Command((sys.executable, "-c", code, token), Path(folder), network)))
"""


@pytest.mark.holds("session.host.no-survivors")
def test_no_process_outlives_a_server_that_is_killed(sandbox: Sandbox, alive: Path, unguessable: str) -> None:
    setting = "required" if sandbox.kind == "bubblewrap" else "off"
    token = f"command-{unguessable}"
    server = subprocess.Popen([sys.executable, "-c", SERVER, setting, str(alive.parent), WAITING, token])
    with alive.open("rb", 0) as reader:
        assert reader.read(5) == b"ready"
        children = descendants(server.pid)
        server.send_signal(signal.SIGKILL)
        server.wait(PATIENCE)
        assert reader.read() == b""
    assert len(children) >= 4
    deadline = time.monotonic() + PATIENCE
    while left := [child for child in children if Path(f"/proc/{child}").exists()]:
        assert time.monotonic() < deadline, f"waited for {left} to end with their server"
    assert survivors(token) == []


@pytest.mark.holds("session.host.no-survivors")
def test_all_that_came_of_a_process_is_found_whether_the_kernel_tells_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "sleep 1000 & (sleep 1000 & echo; wait) & wait"
    with subprocess.Popen(["setsid", "sh", "-c", code], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        told = descendants(started.pid)
        monkeypatch.setattr(os.path, "exists", lambda _: False)
        assert descendants(started.pid) == told
        os.killpg(started.pid, signal.SIGKILL)
    assert len(told) == 3


@pytest.mark.holds("session.host.no-survivors")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_command_that_turns_on_its_watcher_is_ended_as_well(
    limits: Sandbox, alive: Path, unguessable: str, number: int
) -> None:
    """Only where there are no walls between them."""
    code = (
        "import os, time\n"
        "pipe = os.open('alive', os.O_WRONLY)\n"
        "watcher = os.getppid()\n"
        "if os.fork() == 0: os.setsid()\n"
        f"else: os.kill(watcher, {int(number)})\n"
        "time.sleep(10**6)\n"
    )

    async def turn() -> bytes:
        reading = asyncio.create_task(asyncio.to_thread(alive.read_bytes))
        result = await limits.run(command(code, unguessable, alive.parent, seconds=2 * slowness(time.monotonic)))
        assert survivors(unguessable) == []
        assert result.exit_code is None
        assert result.timed_out or result.over_limit
        release(alive)
        return await reading

    assert asyncio.run(turn()) == b""


@pytest.mark.holds("session.host.no-survivors")
def test_the_end_of_one_watcher_is_not_the_end_of_others(sandbox: Sandbox, tmp_path: Path, unguessable: str) -> None:
    """Two commands run; the watcher of one is killed; the other ends by itself, with its own result."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        os.mkfifo(tmp_path / name / "alive")
        os.mkfifo(tmp_path / name / "go")
    code = "open('alive', 'w').write('ready')\nprint(open('go').read())"

    async def both() -> None:
        first, second = (
            asyncio.create_task(sandbox.run(command(code, f"{name}-{unguessable}", tmp_path / name)))
            for name in ("one", "two")
        )
        for name in ("one", "two"):
            assert await asyncio.to_thread((tmp_path / name / "alive").read_text) == "ready"
        os.kill(watcher_of(f"one-{unguessable}"), signal.SIGKILL)
        assert (await first).exit_code is None
        assert survivors(f"one-{unguessable}") == []
        await asyncio.to_thread((tmp_path / "two" / "go").write_text, "done")
        assert (await second).output == "done\n"

    asyncio.run(both())


def watcher_of(token: str) -> int:
    """The parent of the oldest process that carries the token."""
    stat = Path(f"/proc/{min(living_with(token))}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


TIGHT = CommandLimits(memory_bytes=200 * 2**20, processes=20, file_bytes=10 * 2**20)


@pytest.fixture
def tight(sandbox: Sandbox) -> Sandbox:
    return open_sandbox("required" if sandbox.kind == "bubblewrap" else "off", limits=TIGHT)


@pytest.mark.holds("session.host.limits", "session.host.no-survivors")
def test_a_fork_bomb_is_ended(tight: Sandbox, tmp_path: Path, unguessable: str) -> None:
    result = python(tight, tmp_path, "import os\nwhile True: os.fork()", unguessable, seconds=PATIENCE)
    assert result.exit_code is None
    assert result.over_limit == "It had more than 20 processes and was ended."
    assert survivors(unguessable) == []


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.no-survivors", "session.host.time")
def test_a_storm_of_forks_is_over_when_its_time_is(sandbox: Sandbox, tmp_path: Path, unguessable: str) -> None:
    """To look into a process that forks is to wait for it, among hundreds for long: its end must not wait for that."""
    code = "import os\nkept = bytearray(b'x' * 30_000_000)\nwhile True:\n try: os.fork()\n except OSError: pass"
    started = time.monotonic()
    result = python(sandbox, tmp_path, code, unguessable, seconds=3)
    assert time.monotonic() - started < 3 + 3 * slowness(time.perf_counter)
    assert survivors(unguessable) == []
    assert result.exit_code is None
    assert result.timed_out or result.over_limit == "It had more than 256 processes and was ended."


@pytest.mark.lengthy(2)
@pytest.mark.holds("session.host.limits")
@pytest.mark.parametrize(
    "code",
    [
        "kept = []\nwhile True: kept.append(bytearray(10**6))",
        "import os\nfor _ in range(3): os.fork()\nkept = []\nwhile True: kept.append(bytearray(10**6))",
    ],
    ids=["one process", "many small ones"],
)
def test_memory_is_bounded_for_all_processes_together(tight: Sandbox, tmp_path: Path, code: str) -> None:
    result = python(tight, tmp_path, code, seconds=PATIENCE)
    assert result.exit_code != 0
    assert not result.timed_out
    assert result.over_limit == "It used more than 200 MiB of memory and was ended." or "MemoryError" in result.output


@pytest.mark.holds("session.host.limits")
def test_one_great_piece_of_memory_is_not_even_given(tight: Sandbox, tmp_path: Path) -> None:
    result = python(tight, tmp_path, "bytearray(10**10)")
    assert "MemoryError" in result.output


@pytest.mark.holds("session.host.limits")
def test_a_file_ends_at_its_limit(tight: Sandbox, tmp_path: Path) -> None:
    code = "f = open('huge', 'wb')\nfor _ in range(10_000): f.write(bytes(10**6))"
    result = python(tight, tmp_path, code, seconds=PATIENCE)
    assert "File too large" in result.output
    assert (tmp_path / "huge").stat().st_size == TIGHT.file_bytes


@pytest.mark.holds("session.host.limits")
def test_a_command_ends_before_the_disk_is_full(sandbox: Sandbox, tmp_path: Path) -> None:
    setting = "required" if sandbox.kind == "bubblewrap" else "off"
    greedy = open_sandbox(setting, limits=CommandLimits(free_disk_bytes=2**60))  # more than any disk has
    result = python(greedy, tmp_path, "import time; time.sleep(10**6)", seconds=PATIENCE)
    assert result.over_limit == "It was ended because the disk is nearly full."
    assert not result.timed_out


@pytest.mark.holds("session.host.limits")
def test_the_kernel_holds_what_it_can_hold(tight: Sandbox, tmp_path: Path) -> None:
    code = (
        "import resource as r\n"
        "print(all(r.getrlimit(k)[1] < 10**6 for k in (r.RLIMIT_CPU, r.RLIMIT_NOFILE, r.RLIMIT_CORE)))"
    )
    assert python(tight, tmp_path, code).output == "True\n"


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.limits")
def test_node_runs_within_the_limits_and_not_beyond(tight: Sandbox, tmp_path: Path) -> None:
    node = find_programs().resolve(["node"])
    if node is None:
        pytest.skip("node is not installed")
    fine = asyncio.run(tight.run(Command((*node, "-e", "console.log([1, 2].map(n => n * 2))"), tmp_path)))
    assert (fine.exit_code, fine.output) == (0, "[ 2, 4 ]\n")
    hog = "const kept = []; while (true) kept.push(Buffer.alloc(1e6, 1))"
    ended = asyncio.run(tight.run(Command((*node, "-e", hog), tmp_path, seconds=PATIENCE)))
    assert ended.exit_code != 0
    assert not ended.timed_out


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.no-survivors")
def test_many_commands_at_once_do_not_touch_one_another(sandbox: Sandbox, tmp_path: Path) -> None:
    async def together() -> list[str]:
        runs = []
        for number in range(8):
            folder = tmp_path / str(number)
            folder.mkdir()
            code = "import sys\nopen('own', 'w').write(sys.argv[1])\nprint(open('own').read())"
            runs.append(sandbox.run(command(code, str(number), folder)))
        return [result.output for result in await asyncio.gather(*runs)]

    assert asyncio.run(together()) == [f"{number}\n" for number in range(8)]
