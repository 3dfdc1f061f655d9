"""The policy at work in a turn: what is told, what is asked, what an answer changes."""

import asyncio
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from tests.model_server import ModelServer, call, say
from tests.work.agents.turn_rig import LIMITS_ONLY, PROGRAMS, SANDBOX, Rig

from loreweave.seams.host.sandbox import Sandbox
from loreweave.work.agents.agent_turn import TurnFailed
from loreweave.work.agents.permission_policy import Permissions

needs_walls = pytest.mark.skipif(SANDBOX.kind != "bubblewrap", reason="bubblewrap does not work on this computer")


@pytest.fixture
def rig(tmp_path: Path, model_server: ModelServer) -> Rig:
    return Rig(tmp_path / "work", model_server)


def run_command(*argv: str) -> tuple[str, dict[str, list[str]]]:
    return ("run_command", {"argv": list(argv)})


def answer(rig: Rig, label: object) -> None:
    rig.hands.answers["Permission"] = {"Permission": label}


def questions(rig: Rig) -> list[dict[str, object]]:
    return [asked.model_dump()["questions"][0] for asked in rig.hands.asked.values()]


@pytest.mark.holds("session.permission.told")
def test_writes_commands_and_refusals_are_told_and_reads_are_not(rig: Rig) -> None:
    rig.server.script(
        call(
            ("write_file", {"path": "a", "content": "x"}),
            ("read_file", {"path": "a"}),
            ("list_files", {"path": "."}),
            ("search_files", {"pattern": "x"}),
            run_command("cat", "a"),
            ("read_file", {"path": "/etc/passwd"}),
            ("write_file", {"path": "../b", "content": "x"}),
            run_command("cat", "/etc/passwd"),
            run_command("curl", "http://example.org"),
        ),
        say("Done."),
    )
    asyncio.run(rig.run())
    assert rig.told() == [
        ("file_write", "approved"),
        ("command", "approved"),
        ("file_read", "denied"),
        ("file_write", "denied"),
        ("command", "denied"),
        ("network", "denied"),
    ]
    assert {event.task_id for event in rig.hands.of_type("permission_auto_resolved")} == {"t-1"}
    assert [result.startswith("Denied: ") for result in rig.results()] == [False] * 5 + [True] * 4
    assert not (rig.root.parent / "b").exists()


@pytest.mark.holds("session.permission.escalation")
def test_the_third_denial_of_a_task_is_asked_instead(rig: Rig) -> None:
    answer(rig, "Deny")
    rig.server.script(call(*[run_command("bash", "-c", "ls")] * 4), say("Done."))
    asyncio.run(rig.run())
    decisions = [decision for _, decision in rig.told()]
    assert decisions == ["denied", "denied", "escalated", "denied"]
    (question,) = questions(rig)
    assert question["header"] == "Permission"
    assert [option["label"] for option in question["options"]] == ["Allow once", "Allow for this session", "Deny"]
    assert "bash -c ls" in question["question"]
    assert rig.results()[2].endswith("A person refused it.")


@pytest.mark.holds("session.permission.escalation")
def test_the_count_is_the_tasks_and_other_turns_of_it_go_on_counting(rig: Rig) -> None:
    for number in range(3):
        rig.server.script(call(run_command("bash")), say("Done."))
        asyncio.run(rig.run(key=f"1/{number}"))
    assert [decision for _, decision in rig.told()] == ["denied", "denied", "escalated"]
    rig.server.script(call(run_command("bash")), say("Done."))
    asyncio.run(rig.run(key="2/0", task="t-2"))
    assert [decision for _, decision in rig.told()][3:] == ["denied"]


@pytest.mark.holds("session.permission.escalation")
def test_the_threshold_is_the_sessions(rig: Rig) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(escalation_threshold=1))
    rig.server.script(call(run_command("bash")), say("Done."))
    asyncio.run(rig.run())
    assert rig.told() == [("command", "escalated")]
    assert rig.results() == ["Denied: bash is not among the commands that agents may use. Nobody answered."]


@pytest.mark.holds("session.permission.answers")
@pytest.mark.parametrize(
    ("label", "asked", "written"),
    [
        ("Allow once", 2, ["a", "b"]),
        ("Allow for this session", 1, ["a", "b"]),
        (["Allow for this session"], 1, ["a", "b"]),
        ("Deny", 2, []),
        ("maybe", 2, []),
        (7, 2, []),
    ],
)
def test_what_is_asked_is_done_only_as_far_as_a_person_allows(
    rig: Rig, label: object, asked: int, written: list[str]
) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(auto_approve_workspace_writes=False))
    answer(rig, label)
    rig.server.script(
        call(("write_file", {"path": "a", "content": ""}), ("write_file", {"path": "b", "content": ""})), say("Done.")
    )
    asyncio.run(rig.run())
    assert len(rig.hands.asked) == asked
    assert sorted(file.name for file in rig.root.iterdir()) == written
    assert rig.told()[0] == ("file_write", "escalated")


@pytest.mark.holds("session.permission.answers")
def test_the_only_value_of_an_answer_counts_under_any_name(rig: Rig) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(auto_approve_workspace_writes=False))
    rig.hands.answers["Permission"] = {"choice": "allow ONCE "}
    rig.server.script(call(("write_file", {"path": "a", "content": ""})), say("Done."))
    asyncio.run(rig.run())
    assert rig.results() == ["The file is written."]


@pytest.mark.holds("session.permission.for-good")
def test_nobody_can_allow_a_path_outside(rig: Rig) -> None:
    rig.tools = rig.with_tools(
        permissions=Permissions(auto_approve_workspace_writes=False, allow_network=True, escalation_threshold=1)
    )
    answer(rig, "Allow for this session")
    (rig.root / "out").symlink_to("/etc")
    rig.server.script(
        call(
            ("read_file", {"path": "out/passwd"}),
            ("write_file", {"path": ".git/config", "content": "x"}),
            run_command("bash", "-c", "x", "/etc/passwd"),
            run_command("curl", "-T", "../x", "http://example.org"),
            run_command("pip", "install", "--target=/usr", "x"),
        ),
        say("Done."),
    )
    asyncio.run(rig.run())
    assert rig.hands.asked == {}
    assert [decision for _, decision in rig.told()] == ["denied"] * 5


@pytest.mark.holds("session.permission.for-good")
@pytest.mark.parametrize("path", ["/workspace", "a/..", "./", "--", "."])
def test_the_workspace_as_a_whole_cannot_be_removed(rig: Rig, path: str) -> None:
    (rig.root / "a").mkdir()
    (rig.root / ".git").mkdir()
    rig.server.script(call(run_command("rm", "-rf", path)), say("Done."))
    asyncio.run(rig.run())
    assert (rig.root / ".git").exists()


@pytest.mark.holds("session.permission.for-good")
def test_ten_denials_for_good_fail_the_attempt(rig: Rig) -> None:
    rig.server.script(*[call(("read_file", {"path": "/etc/passwd"}))] * 12)
    with pytest.raises(TurnFailed) as failed:
        asyncio.run(rig.run())
    assert failed.value.code == "permission"
    assert len(rig.server.asked) == 10
    assert rig.told() == [("file_read", "denied")] * 10


@pytest.mark.holds("session.permission.for-good")
def test_nine_denials_for_good_do_not(rig: Rig) -> None:
    rig.server.script(*[call(("read_file", {"path": "/etc/passwd"}))] * 9, say("Done."))
    assert asyncio.run(rig.run()) == "Done."


@pytest.mark.holds("session.permission.unsandboxed")
def test_without_walls_code_runs_only_after_a_person_allowed_it_once(rig: Rig) -> None:
    rig.tools = rig.with_tools(sandbox=LIMITS_ONLY)
    answer(rig, "Allow for this session")
    rig.server.script(
        call(run_command("ls"), run_command("python", "-c", "print(1 + 1)"), run_command("python", "-c", "print(3)")),
        say("Done."),
    )
    asyncio.run(rig.run())
    assert len(rig.hands.asked) == 1
    assert [decision for _, decision in rig.told()] == ["approved", "escalated", "approved"]
    assert "\n2\n" in rig.results()[1]


@pytest.mark.holds("session.permission.unsandboxed")
def test_without_walls_a_refusal_holds_for_the_session(rig: Rig) -> None:
    rig.tools = rig.with_tools(sandbox=LIMITS_ONLY)
    answer(rig, "Deny")
    rig.server.script(call(*[run_command("python", "-c", "open('x', 'w')")] * 2), say("Done."))
    asyncio.run(rig.run())
    assert len(rig.hands.asked) == 1
    assert not (rig.root / "x").exists()


@pytest.mark.holds("session.permission.unsandboxed")
def test_the_demos_own_code_needs_no_leave(rig: Rig) -> None:
    rig.tools = rig.with_tools(sandbox=LIMITS_ONLY, demo=True)
    rig.server.script(call(run_command("python", "-c", "print(1 + 1)")), say("Done."))
    asyncio.run(rig.run())
    assert rig.told() == [("command", "approved")]
    assert "\n2\n" in rig.results()[0]


@needs_walls
@pytest.mark.holds("session.permission.sandboxed")
def test_code_reaches_neither_the_network_nor_other_files(rig: Rig) -> None:
    secret = rig.root.parent / "secret.txt"
    secret.write_text("42")
    port = rig.server.base_url.rpartition(":")[2]
    connect = f"import socket; socket.create_connection(('127.0.0.1', {port}))"
    read = f"print(open({str(secret)!r}).read())"
    write = f"open({str(rig.root.parent / 'made')!r}, 'w')"
    rig.server.script(call(*[run_command("python", "-c", code) for code in (connect, read, write)]), say("Done."))
    asyncio.run(rig.run())
    assert all(result.startswith("Exit code 1.") for result in rig.results())
    assert not (rig.root.parent / "made").exists()


@needs_walls
@pytest.mark.holds("session.permission.sandboxed", "session.host.guarded-network")
def test_the_network_that_a_session_allows_does_not_lead_back_to_this_computer(rig: Rig) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(allow_network=True))
    ask = (
        "import socket, sys\nline = socket.create_connection(('127.0.0.1', 3128))\n"
        "line.sendall(f'GET {sys.argv[1]}/v1/models HTTP/1.1\\r\\n\\r\\n'.encode())\nprint(line.recv(99))"
    )
    rig.server.script(call(run_command("python", "-c", ask, rig.server.base_url)), say("Done."))
    asyncio.run(rig.run())
    assert "403 Forbidden" in rig.results()[0]


@needs_walls
@pytest.mark.holds("session.host.guarded-network")
def test_a_network_command_that_a_person_allowed_does_not_reach_a_server_of_this_computer(rig: Rig) -> None:
    if PROGRAMS.resolve(["curl"]) is None:
        pytest.skip("curl is not installed")
    rig.tools = rig.with_tools(permissions=Permissions(escalation_threshold=1))
    answer(rig, "Allow once")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        anyway = ["--noproxy", "*"]
        rig.server.script(call(run_command("curl", address), run_command("curl", *anyway, address)), say("Done."))
        asyncio.run(rig.run())
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert len(rig.hands.asked) == 2
    assert all(result.startswith("Exit code ") for result in rig.results())


@pytest.mark.holds("session.permission.options")
def test_git_shows_history_and_starts_nothing_that_a_repository_names(rig: Rig) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *identity, *words], cwd=rig.root, check=True, capture_output=True)

    git("init")
    (rig.root / "a.txt").write_text("one\n")
    (rig.root / ".gitattributes").write_text("*.txt diff=evil\n")
    git("add", ".")
    git("commit", "-m", "First words")
    (rig.root / "a.txt").write_text("two\n")
    for name in ("diff.external", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor", "core.pager"):
        git("config", name, "touch started; true")
    rig.server.script(
        call(
            run_command("git", "status", "--short"),
            run_command("git", "diff"),
            run_command("git", "log", "-p"),
            run_command("git", "show", "HEAD"),
        ),
        say("Done."),
    )
    asyncio.run(rig.run())
    status, diff, log, show = rig.results()
    assert " M a.txt" in status
    assert "+two" in diff
    assert "First words" in log
    assert "+one" in show
    assert not (rig.root / "started").exists()


SETTINGS = [
    *("filter.evil.clean", "filter.evil.smudge", "diff.external", "diff.evil.command", "diff.evil.textconv"),
    *("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "gpg.program"),
]


def plant_repository(place: Path, *, bare: bool) -> Path:
    """One whose every setting starts a program; answers the file that would tell of it."""
    told = place.parent / "started"
    evil = f"touch {told}; cat"

    def git(*words: str, cwd: Path = place) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
        subprocess.run(["git", *identity, *words], cwd=cwd, check=True, capture_output=True)

    inner = place.parent / "inner"
    inner.mkdir()
    for folder in (inner, place):
        git("init", cwd=folder)
        (folder / "a.txt").write_text("one\n")
        git("add", ".", cwd=folder)
        git("commit", "-m", "First words", cwd=folder)
    git("submodule", "add", str(inner), "sub")
    git("commit", "-am", "A submodule")
    (place / "a.txt").write_text("two\n")
    (place / "sub" / "a.txt").write_text("two\n")
    (place / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (place / "settings").write_text(f'[filter "evil"]\n\tclean = "{evil}"\n\tprocess = "{evil}"\n')
    repositories = [place / ".git", place / ".git" / "modules" / "sub"]
    if bare:
        for entry in (place / ".git").iterdir():
            entry.rename(place / entry.name)
        (place / ".git").rmdir()
        repositories = [place]
    for repository in repositories:
        for name in SETTINGS:
            git("config", "--file", str(repository / "config"), name, evil)
        git("config", "--file", str(repository / "config"), "include.path", str(place / "settings"))
        git("config", "--file", str(repository / "config"), "log.showSignature", "true")
        if bare:
            git("config", "--file", str(repository / "config"), "core.worktree", str(place))
        (repository / "info").mkdir(exist_ok=True)
        (repository / "info" / "attributes").write_text("* filter=evil diff=evil\n")
        (repository / "hooks" / "post-index-change").write_text(f"#!/bin/sh\n{evil}\n")
        (repository / "hooks" / "post-index-change").chmod(0o755)
    return told


SHOWN = [run_command("git", word) for word in ("status", "diff", "log", "show")] + [run_command("git", "log", "-p")]


@pytest.mark.holds("session.permission.git-alone")
@pytest.mark.parametrize("sandbox", [SANDBOX, LIMITS_ONLY], ids=["walls", "limits"])
@pytest.mark.parametrize("bare", [True, False])
def test_no_repository_of_a_workspace_tells_git_to_start_anything(rig: Rig, sandbox: Sandbox, bare: bool) -> None:
    told = plant_repository(rig.root, bare=bare)
    rig.tools = rig.with_tools(sandbox=sandbox, demo=True)
    rig.server.script(call(*SHOWN), say("Done."))
    asyncio.run(rig.run())
    assert not told.exists()
    if bare:
        assert set(rig.results()) == {"The workspace holds no git repository of its own."}
    else:
        assert "+two" in rig.results()[1]
        assert "First words" in rig.results()[2]


@pytest.mark.holds("session.permission.unsandboxed", "session.permission.git-alone")
def test_without_walls_git_is_code(rig: Rig) -> None:
    plant_repository(rig.root, bare=True)
    rig.tools = rig.with_tools(sandbox=LIMITS_ONLY)
    answer(rig, "Deny")
    rig.server.script(call(*SHOWN), say("Done."))
    asyncio.run(rig.run())
    assert len(rig.hands.asked) == 1
    assert all(result.startswith("Denied: ") for result in rig.results())


@pytest.mark.holds("session.permission.git-alone")
@pytest.mark.parametrize("borrow", ["commondir", "objects/info/alternates", "link"])
def test_git_reads_no_other_repository(rig: Rig, borrow: str) -> None:
    other = rig.root.parent / "other"
    other.mkdir()
    plant_repository(other, bare=False)
    git = rig.root / ".git"
    if borrow == "link":
        git.symlink_to(other / ".git")
    else:
        subprocess.run(["git", "init"], cwd=rig.root, check=True, capture_output=True)
        (git / borrow).write_text(str(other / ".git" / ("objects" if "objects" in borrow else "")))
        (git / "HEAD").write_bytes((other / ".git" / "HEAD").read_bytes())
        for head in (other / ".git" / "refs" / "heads").iterdir():
            (git / "refs" / "heads" / head.name).write_bytes(head.read_bytes())
    rig.tools = rig.with_tools(sandbox=LIMITS_ONLY, demo=True)
    rig.server.script(call(run_command("git", "log"), run_command("git", "show")), say("Done."))
    asyncio.run(rig.run())
    assert "First words" not in "".join(rig.results())


@pytest.mark.holds("session.permission.git-alone")
@pytest.mark.parametrize("file", ["index", "packed-refs", "HEAD", "refs/heads/huge"])
def test_a_repository_that_claims_to_be_huge_is_not_copied(rig: Rig, file: str) -> None:
    subprocess.run(["git", "init"], cwd=rig.root, check=True, capture_output=True)
    with (rig.root / ".git" / file).open("wb") as stream:
        stream.truncate(2**40)  # which takes no room on the disk
    rig.server.script(call(run_command("git", "status")), say("Done."))
    asyncio.run(rig.run())
    assert "is larger than" in rig.results()[0]


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.own-programs")
@pytest.mark.parametrize("argv", [("pip",), ("python", "-m", "pip"), ("python3", "-Bmpip")])
def test_a_module_in_the_workspace_is_not_taken_for_the_pip_that_a_person_allowed(
    rig: Rig, argv: tuple[str, ...]
) -> None:
    (rig.root / "pip.py").write_text("print('planted')")
    answer(rig, "Allow once")
    rig.server.script(call(run_command(*argv, "--version")), say("Done."))
    asyncio.run(rig.run())
    assert len(rig.hands.asked) == 1
    assert "planted" not in rig.results()[0]


@pytest.mark.holds("session.permission.exact-grants")
def test_a_person_sees_the_whole_command_and_every_sign_in_it(rig: Rig) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(escalation_threshold=1))
    answer(rig, "Deny")
    rig.server.script(
        call(run_command("bash", "-c", "x" * 3_000, "a b", "\u202etxt\n\x1b[2K", "", "the end")), say("Done.")
    )
    asyncio.run(rig.run())
    (question,) = questions(rig)
    shown = f"May the agent run bash -c {'x' * 3_000} 'a b' '\\u202etxt\\n\\x1b[2K' '' 'the end'? "
    assert str(question["question"]).startswith(shown)
    assert question["options"][1]["description"] == "Also later: exactly this command in this folder."


@pytest.mark.holds("session.permission.exact-grants")
def test_nobody_is_asked_about_a_command_that_is_too_long_to_be_shown(rig: Rig) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(escalation_threshold=1))
    answer(rig, "Allow for this session")
    rig.server.script(call(run_command("bash", "-c", "x" * 20_000)), say("Done."))
    asyncio.run(rig.run())
    assert rig.hands.asked == {}
    assert rig.results() == ["Denied: The command is too long to be shown whole to a person."]


@pytest.mark.holds("session.permission.exact-grants")
def test_what_was_allowed_for_the_session_is_asked_anew_with_other_options(rig: Rig) -> None:
    rig.tools = rig.with_tools(permissions=Permissions(escalation_threshold=1))
    answer(rig, "Allow for this session")
    (rig.root / "a").write_text("1\n")
    commands = [("sort", "-o", "b", "a"), ("sort", "-o", "b", "a"), ("sort", "-o", "a", "b")]
    rig.server.script(call(*[run_command(*argv) for argv in commands]), say("Done."))
    asyncio.run(rig.run())
    assert [decision for _, decision in rig.told()] == ["escalated", "approved", "escalated"]


@pytest.mark.holds("session.permission.for-good")
def test_a_link_put_there_after_the_look_changes_nothing(rig: Rig) -> None:
    """A folder turns into a link and back while files are written through it."""
    outside = rig.root.parent / "outside"
    outside.mkdir()
    (rig.root / "folder").mkdir()
    ended = asyncio.Event()

    async def swap() -> int:
        times = 0
        while not ended.is_set():
            times += 1
            with suppress(OSError):
                (rig.root / "folder").rename(rig.root / f"kept-{times}")
            with suppress(OSError):
                (rig.root / "folder").symlink_to(outside)
            await asyncio.sleep(0)
            with suppress(OSError):
                (rig.root / "folder").unlink()
            await asyncio.sleep(0)
        return times

    async def run() -> int:
        swapping = asyncio.create_task(swap())
        with suppress(TurnFailed):
            await rig.run()
        ended.set()
        return await swapping

    writes = [("write_file", {"path": f"folder/{number}", "content": "x"}) for number in range(16)]
    rig.server.script(*[call(*writes)] * 6, say("Done."))
    assert asyncio.run(run()) > 10
    assert ("file_write", "denied") in rig.told()
    assert list(outside.iterdir()) == []
