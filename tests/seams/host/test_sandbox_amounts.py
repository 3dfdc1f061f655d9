"""No command holds more than its share, in whatever form it holds it: memory that looks like files, files, folders."""

import os
import shutil
from pathlib import Path

import pytest
from tests.pace import PATIENCE
from tests.seams.host.command_runs import python, run, survivors

from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.count_use import use_of_folder
from loreweave.seams.host.hold_command import ControlGroup
from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.sandbox import CommandLimits, Sandbox

MIB = 2**20
TIGHT = CommandLimits(memory_bytes=200 * MIB, workspace_bytes=20 * MIB, workspace_files=50)
OVER_MEMORY = "It used more than 200 MiB of memory and was ended."
OVER_ROOM = "It filled its folder with more than 20 MiB or 50 files and was ended."
WAIT = "\nimport time\nprint('held', flush=True)\ntime.sleep(10**6)"


@pytest.fixture
def tight(sandbox: Sandbox) -> Sandbox:
    return open_sandbox("required" if sandbox.kind == "bubblewrap" else "off", limits=TIGHT)


HOARDS = {
    "shared pages": "import mmap\nm = mmap.mmap(-1, 600 * 2**20)\n"
    "for n in range(600): m[n * 2**20:(n + 1) * 2**20] = bytes(2**20)",
    "shared pages nobody maps": "import mmap\nm = mmap.mmap(-1, 600 * 2**20)\n"
    "for n in range(600):\n  m[n * 2**20:(n + 1) * 2**20] = bytes(2**20)\n  m.madvise(mmap.MADV_DONTNEED)",
    "many small shares": "import mmap, os\nkept = []\nfor n in range(600):\n"
    "  kept.append(mmap.mmap(-1, 2**20)); kept[-1].write(bytes(2**20))",
    "buffers of sockets": "import socket\nkept = []\nfor n in range(600):\n  kept.append(socket.socketpair())\n"
    "  kept[-1][0].setblocking(False)\n  try:\n    while True: kept[-1][0].send(bytes(2**16))\n"
    "  except BlockingIOError: pass",
    "buffers of pipes": "import os\nos.fork()\nkept = []\nfor n in range(1900):\n  kept.append(os.pipe())\n"
    "  os.write(kept[-1][1], bytes(4096))",
    "shared by many": "import mmap, os\nm = mmap.mmap(-1, 600 * 2**20)\nfor _ in range(2): os.fork()\n"
    "for n in range(600): m[n * 2**20:(n + 1) * 2**20] = bytes(2**20)",
}


@pytest.mark.lengthy(3)
@pytest.mark.holds("session.host.limits")
@pytest.mark.parametrize("code", HOARDS.values(), ids=HOARDS)
def test_shared_memory_counts(tight: Sandbox, tmp_path: Path, code: str) -> None:
    result = python(tight, tmp_path, code + WAIT, seconds=PATIENCE)
    assert result.over_limit == OVER_MEMORY
    assert not result.timed_out


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.limits")
def test_memory_that_many_share_counts_once(tight: Sandbox, tmp_path: Path) -> None:
    code = (
        "import mmap, os\nkept = bytearray(80 * 2**20)\nm = mmap.mmap(-1, 60 * 2**20)\nm.write(bytes(60 * 2**20))\n"
        "children = [os.fork() for _ in range(3)]\nimport time\ntime.sleep(1)\n"
        "[os.waitpid(child, 0) for child in children if child] if all(children) else os._exit(0)\nprint('held')"
    )
    result = python(tight, tmp_path, code, seconds=PATIENCE)
    assert (result.exit_code, result.over_limit) == (0, "")


HIDDEN = {
    "memfd": "import os\nf = os.memfd_create('x')\nfor _ in range(600): os.write(f, bytes(2**20))",
    "system v": "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    "n = libc.shmget(0, ctypes.c_size_t(600 * 2**20), 0o1600)\nif n < 0: raise OSError(ctypes.get_errno(), 'refused')",
    "messages": "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    "n = libc.msgget(0, 0o1600)\nif n < 0: raise OSError(ctypes.get_errno(), 'refused')",
}


@pytest.mark.lengthy(3)
@pytest.mark.holds("session.host.limits")
@pytest.mark.parametrize("code", HIDDEN.values(), ids=HIDDEN)
def test_memory_that_nobody_could_count_is_not_given(tight: Sandbox, tmp_path: Path, code: str) -> None:
    result = python(tight, tmp_path, code + WAIT, seconds=PATIENCE)
    assert result.exit_code == 1
    assert "[Errno 38]" in result.output


FILLINGS = {
    "bytes": "for n in range(40): open(f'f{n}', 'wb').write(bytes(2**20))",
    "files": "for n in range(100): open(f'f{n}', 'wb')",
    "folders": "for n in range(100): os.mkdir(f'f{n}')",
    "links": "for n in range(100): os.symlink('x', f'f{n}')",
    "deep": "for n in range(45): os.mkdir('d'); os.chdir('d')\n"
    "for n in range(30): open(f'f{n}', 'wb').write(bytes(2**20))",
    "deeper than can be counted": "for n in range(150): os.mkdir('d'); os.chdir('d')",
    "home": "os.chdir(os.environ['HOME'])\nfor n in range(40): open(f'f{n}', 'wb').write(bytes(2**20))",
}


@pytest.mark.lengthy(4)
@pytest.mark.holds("session.host.limits")
@pytest.mark.parametrize("filling", [name for name in FILLINGS if name != "home"])
@pytest.mark.parametrize("stays", [True, False], ids=["stays", "ends at once"])
def test_a_folder_has_a_limit_of_bytes_and_files(tight: Sandbox, tmp_path: Path, filling: str, stays: bool) -> None:
    code = "import os\n" + FILLINGS[filling] + (WAIT if stays else "")
    result = python(tight, tmp_path, code, seconds=PATIENCE)
    assert result.over_limit == OVER_ROOM
    assert not result.timed_out


@pytest.mark.holds("session.host.limits")
def test_without_walls_what_is_left_in_the_home_counts_and_goes(limits: Sandbox, tmp_path: Path) -> None:
    result = python(open_sandbox("off", limits=TIGHT), tmp_path, "import os\n" + FILLINGS["home"], seconds=PATIENCE)
    assert result.over_limit == OVER_ROOM
    code = "import tempfile; print(tempfile.mkstemp()[1])"
    assert not Path(python(limits, tmp_path, code).output.strip()).exists()


@pytest.mark.holds("session.host.limits")
def test_files_that_are_in_no_folder_any_more_count(tight: Sandbox, tmp_path: Path) -> None:
    code = (
        "import os\nkept = []\nfor n in range(40):\n"
        "  kept.append(open('f', 'wb')); os.unlink('f'); kept[-1].write(bytes(2**20))"
    )
    result = python(tight, tmp_path, code + WAIT, seconds=PATIENCE)
    assert result.over_limit == OVER_ROOM


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.limits")
def test_a_folder_that_is_too_full_can_be_emptied(tight: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    for number in range(60):
        (tmp_path / "old" / str(number)).write_bytes(b"x")
    assert run(tight, tmp_path, "/bin/ls").over_limit == ""
    assert python(tight, tmp_path, "open('one-more', 'w')").over_limit == OVER_ROOM
    assert "File too large" in python(tight, tmp_path, "open('old/1', 'wb', 0).write(b'x')").output
    assert run(tight, tmp_path, "/bin/rm", "-r", "old").over_limit == ""
    assert python(tight, tmp_path, "open('again', 'w')").over_limit == ""


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.limits")
def test_threads_are_bounded_too(tight: Sandbox, tmp_path: Path) -> None:
    code = (
        "import threading\nthreading.stack_size(32768)\nwait = threading.Event()\n"
        "for _ in range(5_000): threading.Thread(target=wait.wait).start()\nprint('held')"
    )
    result = python(tight, tmp_path, code, seconds=PATIENCE)
    assert result.exit_code != 0
    assert result.over_limit == "It had more than 256 processes and was ended." or "start new thread" in result.output


@pytest.mark.holds("session.host.limits")
def test_a_folder_is_counted_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "f").write_bytes(bytes(10_000))
    (tmp_path / "in" / "out").symlink_to("/usr")
    size, count = use_of_folder(str(tmp_path), 1000)
    assert 10_000 <= size < MIB
    assert count == 3
    assert use_of_folder(str(tmp_path / "none"), 1000) == (0, 0)


@pytest.mark.holds("session.host.limits")
def test_what_is_too_deep_to_count_is_never_taken_for_little(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    assert min(use_of_folder(str(tmp_path), 10_000)) > 2**60
    ConfinedFolder(tmp_path).remove("d" * 100)


@pytest.mark.holds("session.host.no-survivors", "session.host.limits")
def test_a_command_over_its_limit_leaves_no_process(tight: Sandbox, tmp_path: Path, unguessable: str) -> None:
    code = "import os\nfor _ in range(3): os.fork()\nos.setpgid(0, 0)\n" + FILLINGS["files"] + WAIT
    python(tight, tmp_path, code, unguessable, seconds=PATIENCE)
    assert survivors(unguessable) == []
    shutil.rmtree(tmp_path)


@pytest.mark.holds("session.host.limits")
def test_where_the_kernel_keeps_a_count_a_command_gets_a_group_of_its_own(tmp_path: Path) -> None:
    """On a folder that looks like the kernel's: a computer that runs tests rarely lends out its own."""
    limits = {"memory_bytes": 100, "temporary_bytes": 11}
    (tmp_path / "users" / "ours").mkdir(parents=True)
    (tmp_path / "users" / "cgroup.subtree_control").write_text("cpu memory pids\n")
    group = ControlGroup(limits, str(tmp_path), "/users/ours")
    (made,) = tmp_path.glob("users/lore-*")
    group.join()
    found = {file.name: file.read_text() for file in made.iterdir()}
    joined = str(os.getpid())
    assert found == {"memory.max": "111", "memory.swap.max": "0", "memory.oom.group": "1", "cgroup.procs": joined}
    for told, is_over in (("max 3\noom 0\noom_kill 0\n", False), ("max 3\noom 1\noom_kill 2\n", True)):
        (made / "memory.events").write_text(told)
        assert group.was_over() == is_over
    for file in made.iterdir():  # as the kernel's own files, they do not hold their folder back
        file.unlink()
    (made.parent / "lore-999999999").mkdir()
    ControlGroup(limits, str(tmp_path), "/users/ours").close()
    assert not (made.parent / "lore-999999999").exists()


def _lent_group() -> bool:
    """Whether the kernel counts memory in groups of version 2 and lets this process make one."""
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    places = [Path(fields[4]) for fields in mounts if "cgroup2" in fields]
    own = [line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")]
    for mount in places[: len(own)]:
        for place in (mount / own[0].strip("/"), (mount / own[0].strip("/")).parent):
            control = place / "cgroup.subtree_control"
            if control.exists() and "memory" in control.read_text().split() and os.access(place, os.W_OK):
                return True
    return False


@pytest.mark.holds("session.host.limits")
@pytest.mark.skipif(not _lent_group(), reason="no group of version 2 counts memory here, or none may be made")
def test_on_a_kernel_that_counts_the_command_is_held_by_its_group(tight: Sandbox, tmp_path: Path) -> None:
    result = python(tight, tmp_path, "print(open('/proc/self/cgroup').read())", seconds=PATIENCE)
    assert "lore-" in result.output
    result = python(tight, tmp_path, f"kept = bytearray(700 * 2**20){WAIT}", seconds=PATIENCE)
    assert result.over_limit == OVER_MEMORY


@pytest.mark.holds("session.host.limits")
def test_where_there_is_no_such_count_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "cgroup.subtree_control").write_text("cpu\n")
    group = ControlGroup({"memory_bytes": 1, "temporary_bytes": 1}, str(tmp_path), "/")
    group.join()
    group.close()
    assert not group.was_over()
    assert [file.name for file in tmp_path.iterdir()] == ["cgroup.subtree_control"]
