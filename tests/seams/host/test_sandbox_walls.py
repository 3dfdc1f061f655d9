"""A command sees the system, the interpreter and its own folder; it changes its own folder and nothing else."""

import os
import socket
import sys
from pathlib import Path

import pytest
from tests.seams.host.command_runs import Surroundings, python, run

from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.sandbox import Sandbox

# Each line is tried by itself; `outside` is the folder around the workspaces, as this computer calls it.
CHANGES = {
    "absolute path": "open(outside + '/new', 'w').write('x')",
    "other workspace": "open(outside + '/workspaces/theirs/notes.txt', 'w').write('x')",
    "dots": "open('../../new', 'w').write('x')\nopen('../theirs/notes.txt', 'a').write('x')",
    "deletion": "os.remove(outside + '/secret.txt')\nos.remove('../../secret.txt')",
    "whole tree": "shutil.rmtree(outside)\nshutil.rmtree('../theirs')\nshutil.rmtree('..')",
    "modes": "os.chmod(outside + '/secret.txt', 0o777)\nos.chmod('../theirs', 0)",
    "own link": "os.symlink(outside, 'link')\nopen('link/new', 'w').write('x')\nos.remove('link/secret.txt')",
    "link of dots": "os.symlink('../theirs', 'near')\nopen('near/new', 'w').write('x')",
    "hard link": "os.link(outside + '/secret.txt', 'hard')\nos.link('../theirs/notes.txt', 'hard')\n"
    "open('hard', 'w').write('x')",
    "rename": "os.rename('../theirs', '../stolen')\nos.rename(outside + '/secret.txt', 'mine')",
    "process folders": "open('/proc/self/cwd/../new', 'w').write('x')\n"
    "open('/proc/1/root' + outside + '/new', 'w').write('x')\n"
    "open('/proc/1/cwd/new', 'w').write('x')\nopen('/proc/%d/root%s/new' % (os.getppid(), outside), 'w')",
}
PREAMBLE = """
import ctypes, os, shutil, stat, sys
outside = sys.argv[1]
for line in {lines!r}.splitlines():
    try:
        exec(line)
    except OSError as trouble:
        pass
"""


def attack(sandbox: Sandbox, surroundings: Surroundings, lines: str) -> str:
    code = PREAMBLE.format(lines=lines)
    result = python(sandbox, surroundings.workspace, code, str(surroundings.outside))
    assert result.exit_code == 0, result
    return result.output


@pytest.mark.holds("session.host.walls")
@pytest.mark.parametrize("lines", CHANGES.values(), ids=CHANGES)
def test_nothing_outside_the_folder_changes(walls: Sandbox, surroundings: Surroundings, lines: str) -> None:
    before = surroundings.snapshot()
    attack(walls, surroundings, lines)
    assert surroundings.snapshot() == before


@pytest.mark.lengthy(4)
@pytest.mark.holds("session.host.walls")
@pytest.mark.parametrize("lines", [CHANGES[name] for name in CHANGES if name != "process folders"])
def test_these_attacks_would_be_seen(limits: Sandbox, surroundings: Surroundings, lines: str) -> None:
    """Without walls each of them succeeds: what is tested above is the wall, not a typing error."""
    before = surroundings.snapshot()
    attack(limits, surroundings, lines)
    assert surroundings.snapshot() != before


@pytest.mark.holds("session.host.walls")
def test_the_folder_itself_is_writable_and_keeps_what_was_written(walls: Sandbox, surroundings: Surroundings) -> None:
    attack(walls, surroundings, "os.mkdir('made')\nopen('made/file', 'w').write('kept')\nprint(os.getcwd())")
    file = surroundings.workspace / "made" / "file"
    assert file.read_text() == "kept"
    assert file.stat().st_uid == os.getuid()


READINGS = {
    "absolute path": "print(open(outside + '/secret.txt').read())",
    "dots": "print(open('../../secret.txt').read())",
    "data folder": "print(open(outside + '/data/lore.db').read())",
    "other workspace": "print(open('../theirs/notes.txt').read())",
    "link made before": "print(open('planted').read())",
    "own link": "os.symlink(outside + '/secret.txt', 'made')\nprint(open('made').read())",
    "process folders": "print(open('/proc/1/root' + outside + '/secret.txt').read())\n"
    "print(open('/proc/self/cwd/../../secret.txt').read())",
    "everything": "[print(open(os.path.join(a, f), errors='replace').read()) for t in ('/root', '/home', outside) "
    "for a, _, fs in os.walk(t) for f in fs if not a.startswith((sys.prefix, sys.base_prefix))]",
}


@pytest.mark.holds("session.host.walls")
@pytest.mark.parametrize("lines", READINGS.values(), ids=READINGS)
def test_nothing_outside_the_folder_is_read(walls: Sandbox, surroundings: Surroundings, lines: str) -> None:
    (surroundings.workspace / "planted").symlink_to(surroundings.outside / "secret.txt")
    assert surroundings.secret not in attack(walls, surroundings, lines)


@pytest.mark.holds("session.host.walls")
def test_what_is_hidden_stays_so_inside_a_folder_that_is_shown(surroundings: Surroundings, walls: Sandbox) -> None:
    """An interpreter may have been installed around the data folder."""
    hidden = Path(sys.prefix) / f".hidden-{surroundings.secret}"
    hidden.mkdir()
    try:
        (hidden / "lore.db").write_text("secret")
        line = f"print(os.listdir({str(hidden)!r}))"
        assert attack(walls, surroundings, line) == "['lore.db']\n"
        assert attack(open_sandbox("required", hidden=[hidden]), surroundings, line) == "[]\n"
    finally:
        (hidden / "lore.db").unlink()
        hidden.rmdir()


@pytest.mark.holds("session.host.walls")
def test_the_system_and_the_interpreter_are_read_only(walls: Sandbox, surroundings: Surroundings) -> None:
    places = [
        "/",
        "/usr",
        "/usr/bin",
        "/etc",
        "/dev",
        "/root",
        sys.prefix,
        sys.base_prefix,
        str(Path(sys.prefix).parent),
    ]
    name = surroundings.secret
    lines = "\n".join(f"open({place!r} + '/{name}', 'w'); print('wrote in', {place!r})" for place in places)
    around = Path(sys.prefix).parent  # where that lies in /tmp it is the private one, and writable
    told = f"wrote in {around}\n" if around.is_relative_to("/tmp") else ""
    assert attack(walls, surroundings, lines) == told
    assert not [place for place in places if os.path.lexists(f"{place}/{name}")]


@pytest.mark.holds("session.host.walls")
def test_no_switch_of_the_kernel_can_be_turned(walls: Sandbox, surroundings: Surroundings) -> None:
    """The root of a server is still root to the kernel's own files, whatever he is called inside."""
    line = (
        "[print(os.path.join(a, f), os.open(os.path.join(a, f), os.O_WRONLY | os.O_NONBLOCK)) "
        "for a, _, fs in os.walk(t) for f in fs if os.access(os.path.join(a, f), os.W_OK)]"
    )
    lines = "\n".join(line.replace("(t)", f"({place!r})") for place in ("/proc/sys", "/proc/irq", "/sys"))
    lines += "\nprint(open('/proc/sysrq-trigger', 'w'))\nprint(open('/proc/sys/kernel/core_pattern', 'r+'))"
    assert attack(walls, surroundings, lines) == ""


@pytest.mark.holds("session.host.walls")
def test_no_walls_are_moved_from_inside(walls: Sandbox, surroundings: Surroundings) -> None:
    lines = "\n".join(
        [
            "libc = ctypes.CDLL(None)",
            "print('unshared') if libc.unshare(0x10000000 | 0x20000) == 0 else None",
            "print('mounted') if libc.mount(b'none', b'/workspace', b'tmpfs', 0, None) == 0 else None",
            "print('unmounted') if libc.umount2(b'/proc', 2) == 0 else None",
            "print('remounted') if libc.mount(None, b'/', None, 32, None) == 0 else None",
            "os.chroot('/workspace'); print('chrooted')",
            "os.setuid(0); print('root')",
            "os.mknod('disk', stat.S_IFBLK | 0o600, os.makedev(254, 0)); print('device')",
        ]
    )
    assert attack(walls, surroundings, lines) == ""


@pytest.mark.holds("session.host.walls")
def test_no_process_outside_is_seen_or_reached(walls: Sandbox, surroundings: Surroundings) -> None:
    lines = (
        f"print(len([n for n in os.listdir('/proc') if n.isdigit()]) < 5)\nos.kill({os.getpid()}, 0); print('reached')"
    )
    assert attack(walls, surroundings, lines) == "True\n"


@pytest.mark.holds("session.host.walls")
def test_temporary_files_are_private_and_bounded(walls: Sandbox, surroundings: Surroundings) -> None:
    name = f"/tmp/{surroundings.secret}"
    assert attack(walls, surroundings, f"open({name!r}, 'w').write('x'); print('wrote')") == "wrote\n"
    assert not os.path.lexists(name)
    for place in ("/tmp", "/dev/shm"):
        full = f"f = open('{place}/f', 'wb'); [f.write(bytes(10**6)) for _ in range(400)]; print('wrote')"
        assert attack(walls, surroundings, full) == ""


CONNECT = """
import socket, sys
try:
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
        line.sendall(b"out")
        print("sent")
except OSError as trouble:
    print("none")
"""


@pytest.mark.holds("session.host.no-network")
@pytest.mark.parametrize("network", [False, True])
def test_this_computer_is_not_reached_whether_or_not_a_network_is_allowed(
    walls: Sandbox, tmp_path: Path, network: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        port = str(listener.getsockname()[1])
        assert python(walls, tmp_path, CONNECT, port, network=network).output == "none\n"
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.holds("session.host.no-network")
def test_no_socket_of_the_system_is_reached_by_its_name(walls: Sandbox, tmp_path: Path, unguessable: str) -> None:
    code = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0' + sys.argv[1])\nprint('reached')"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + unguessable)
        listener.listen()
        assert "ConnectionRefusedError" in python(walls, tmp_path, code, unguessable).output
        assert "ConnectionRefusedError" in python(walls, tmp_path, code, unguessable, network=True).output


@pytest.mark.holds("session.host.walls")
@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ((sys.executable, "-m", "pytest", "--version"), "pytest "),
        ((sys.executable, "-m", "pip", "--version"), "pip "),
        (("/usr/bin/git", "--version"), "git version"),
    ],
)
def test_the_products_own_tools_run_inside(walls: Sandbox, tmp_path: Path, argv: tuple[str, ...], told: str) -> None:
    result = run(walls, tmp_path, *argv)
    assert result.exit_code == 0
    assert result.output.startswith(told)
