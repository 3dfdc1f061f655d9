"""The table of permissions, row by row, as a pure function."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.work.agents.permission_policy import (
    CODE,
    WRITING,
    CommandRequest,
    FileRequest,
    PathPlace,
    Permissions,
    PermissionState,
    decide,
)

PLAIN = PermissionState()
ONLINE = PermissionState(Permissions(allow_network=True))
ASKING = PermissionState(Permissions(auto_approve_workspace_writes=False))
UNCONTAINED = PermissionState(contained=False)
READING = "ls cat head tail wc sort uniq grep find diff stat pwd tree echo"
SANDBOXED = "python|python3|pytest|node|npm run|npm test"
WORKING = "mkdir|cp|mv|rm|touch"
GIT = "git status|git diff|git log|git show"
NETWORK = "curl wget ssh scp rsync nc"
ELSE = [
    *("sh", "bash", "zsh", "env", "sudo", "su", "make", "gcc", "perl", "npx", "npm", "npm exec", "npm publish"),
    *("git", "git push", "git commit", "git clone", "git -c x=y log", "git --git-dir=a log", "/bin/ls", "./run"),
    *("bin/ls", "ln", "chmod", "dd", "xargs", "sed", "awk", "tee", "kill", "busybox"),
]


def judged(command: str, state: PermissionState = PLAIN) -> tuple[str, str]:
    found = decide(CommandRequest(tuple(command.split())), state)
    assert found.reason.endswith(".")
    return found.kind, found.permission_type


@pytest.mark.holds("session.permission.files")
@pytest.mark.parametrize("kind", ["file_read", "file_write"])
def test_a_path_inside_is_approved(kind: str) -> None:
    found = decide(FileRequest(kind, "inside"), PLAIN)  # type: ignore[arg-type]
    assert (found.kind, found.permission_type) == ("approved", kind)


@pytest.mark.holds("session.permission.files")
def test_writes_are_asked_where_they_are_not_approved_beforehand_and_reads_are_not() -> None:
    assert decide(FileRequest("file_write", "inside"), ASKING).kind == "asked"
    assert decide(FileRequest("file_read", "inside"), ASKING).kind == "approved"
    granted = PermissionState(ASKING.permissions, granted=frozenset((WRITING,)))
    assert decide(FileRequest("file_write", "inside"), granted).kind == "approved"


@pytest.mark.holds("session.permission.for-good")
@pytest.mark.parametrize("place", ["outside", "link", "guarded"])
@pytest.mark.parametrize("state", [PLAIN, ONLINE, ASKING, UNCONTAINED])
def test_any_other_path_is_denied_for_good(place: PathPlace, state: PermissionState) -> None:
    assert decide(FileRequest("file_read", place), state).kind == "denied_for_good"
    assert decide(FileRequest("file_write", place), state).kind == "denied_for_good"
    for command in ("cat x", "python x", "pip install x", "curl x", "bash x"):
        request = CommandRequest(tuple(command.split()), frozenset((place, "inside")))
        assert decide(request, state).kind == "denied_for_good"


@pytest.mark.holds("session.permission.commands")
@pytest.mark.parametrize("command", READING.split())
def test_commands_that_read_are_approved(command: str) -> None:
    assert judged(command) == ("approved", "command")
    assert judged(command, UNCONTAINED) == ("approved", "command")


@pytest.mark.holds("session.permission.commands")
@pytest.mark.parametrize("command", [*SANDBOXED.split("|"), *WORKING.split("|"), *GIT.split("|")])
def test_commands_that_work_are_approved(command: str) -> None:
    assert judged(command) == ("approved", "command")
    assert judged(f"{command} a b", ONLINE) == ("approved", "command")


@pytest.mark.holds("session.permission.unsandboxed")
@pytest.mark.parametrize("command", [*SANDBOXED.split("|"), *GIT.split("|")])
def test_without_walls_code_is_asked_about_once_a_session(command: str) -> None:
    assert judged(command, UNCONTAINED) == ("asked", "command")
    assert judged(command, PermissionState(contained=False, granted=frozenset((CODE,)))) == ("approved", "command")
    assert judged(command, PermissionState(contained=False, refused=frozenset((CODE,)))) == ("denied", "command")


@pytest.mark.holds("session.permission.unsandboxed")
@pytest.mark.parametrize("command", WORKING.split("|"))
def test_without_walls_commands_that_run_no_code_are_approved(command: str) -> None:
    assert judged(command, UNCONTAINED) == ("approved", "command")


@pytest.mark.holds("session.permission.commands")
@pytest.mark.parametrize(
    "command",
    [
        *("pip install x", "pip", "pip3 install x", "npm install", "npm i x", "npm ci", "python -m pip install x"),
        *("python3 -I -m pip install x", "python -mpip install x", "python -Im pip install x"),
    ],
)
def test_installing_is_asked_about(command: str) -> None:
    assert judged(command) == ("asked", "command")
    assert judged(command, ONLINE) == ("asked", "command")


@pytest.mark.holds("session.permission.commands")
@pytest.mark.parametrize("command", NETWORK.split())
def test_the_network_is_denied_unless_it_is_allowed(command: str) -> None:
    assert judged(command) == ("denied", "network")
    assert judged(command, ONLINE) == ("approved", "network")


@pytest.mark.holds("session.permission.commands")
@pytest.mark.parametrize("command", ELSE)
def test_all_else_is_denied(command: str) -> None:
    assert judged(command) == ("denied", "command")
    assert judged(command, ONLINE) == ("denied", "command")


@pytest.mark.holds("session.permission.options")
@pytest.mark.parametrize(
    "command",
    [
        *("find . -exec sh ;", "find . -execdir sh ;", "find . -ok rm ;", "find . -okdir rm ;", "find . -delete"),
        *("find . -fprint x", "find . -fprint0 x", "find . -fprintf x y", "find . -fls x", "find -files0-from x"),
        *("find -L .", "find -H .", "find . -follow", "sort -o x y", "sort -ox y", "sort -nro x", "sort --output=x"),
        *("sort --out x", "sort --compress-program=sh", "sort --comp=sh", "sort --files0-from=x", "sort -T. x"),
        *("sort --temporary-directory=x", "wc --files0-from=x", "wc --files x", "tree -o x", "tree -l", "tree -R"),
        *("uniq a b", "uniq -c a b", "uniq -f 1 a b", "grep -R x", "grep -nR x", "grep --dereference-rec x"),
        *("ls -L", "ls -laL", "ls --dereference", "diff -l a b", "diff --paginate a b", "cp -rL a b", "cp -H a b"),
        *("git diff --output=x", "git diff --outp x", "git log --ext-diff", "git diff --ext", "git show --textconv"),
        *("git diff --no-index a b", "git diff -Ox", "git log --show-signature", "git log --format=%G?"),
        *("uniq - out", "uniq -c - out", "uniq -- a b", "uniq -f 1 - b", "sort -k 1 -o x", "sort -k -o x", "stat -L x"),
        *("tree --fromfile x", "tree --gitignore", "cp -s a b", "cp -a --dereference a b", "find . -D exec"),
        *("git log --format --output=x", "git log --since --output=x", "git diff --ignore-submodules=none"),
        *("git diff -p -Ox", "git status --no-such", "ls --no-such", "diff --no-such a b", "grep -S x", "touch -Z x"),
    ],
)
def test_options_that_write_run_or_wander_are_denied(command: str) -> None:
    assert judged(command) == ("denied", "command")


@pytest.mark.holds("session.permission.options")
@pytest.mark.parametrize(
    "command",
    [
        *("find . -name *.py -type f", "sort -k1,1 -n x", "uniq -c x", "uniq -f 1 x", "grep -rn x .", "grep -f x y"),
        *("ls -la", "tree -L 2", "tree -I node_modules", "wc -l x", "diff -r a b", "diff --to-file=a b", "cp -r a b"),
        *("git log --oneline -5", "git diff -C", "git log -c", "git show HEAD~1:a", "git status --short"),
        *("git diff --output-indicator-new=+", "head -n 5 x", "tail -n +2 x", "rm -rf build", "python -m pytest -q"),
        *("find . -mtime -7 -size -10k", "head -5 x", "tail -n -5 x", "git log -n 5 -- -x", "git diff -M90% --stat=80"),
        *("git status -uno", "echo -o x", "sort -- -o", "mkdir -p a/b", "uniq -", "grep -A 3 -e x y", "sort --key 2 x"),
    ],
)
def test_ordinary_options_are_approved(command: str) -> None:
    assert judged(command) == ("approved", "command")


@pytest.mark.holds("session.permission.escalation")
@pytest.mark.parametrize(("threshold", "kinds"), [(3, ["denied", "denied", "asked"]), (1, ["asked"] * 3)])
def test_the_denial_that_reaches_the_threshold_is_asked_instead(threshold: int, kinds: list[str]) -> None:
    permissions = Permissions(escalation_threshold=threshold)
    found = [judged("bash", PermissionState(permissions, denials=denials))[0] for denials in range(3)]
    assert found == kinds


@pytest.mark.holds("session.permission.escalation", "session.permission.exact-grants")
def test_what_a_person_allowed_for_the_session_is_that_command_in_that_folder_and_nothing_beside_it() -> None:
    shown = CommandRequest(("find", ".", "-name", "x", "-delete"), folder="/a")
    state = PermissionState(granted=frozenset((shown.grant,)))
    assert decide(shown, state).kind == "approved"
    for other in (
        replace(shown, argv=("find", ".", "-delete")),
        replace(shown, argv=(*shown.argv, "-delete")),
        replace(shown, folder="/b"),
    ):
        assert decide(other, state).kind == "denied"


@pytest.mark.holds("session.permission.exact-grants")
@pytest.mark.parametrize("command", ["curl x", "pip install a", "bash -c ls", "sort -o x y"])
def test_no_grant_covers_another_command_of_the_same_program(command: str) -> None:
    first = CommandRequest(tuple(command.split()))
    state = PermissionState(denials=9, granted=frozenset((first.grant,)))
    assert decide(first, state).kind == "approved"
    assert decide(replace(first, argv=(*first.argv, "b")), state).kind == "asked"


@pytest.mark.holds("session.permission.open-network")
@pytest.mark.parametrize("allow_network", [True, False])
def test_without_walls_a_network_command_is_asked_and_the_question_says_what_it_reaches(allow_network: bool) -> None:
    for command in ("curl x", "pip install x"):
        request = CommandRequest(tuple(command.split()))
        state = PermissionState(Permissions(allow_network=allow_network), contained=False, denials=2)
        found = decide(request, state)
        assert found.kind == "asked"
        assert "this computer's own network too, this server included" in found.reason
        assert "this server" not in decide(request, replace(state, contained=True)).reason


PLACES = st.sampled_from(["inside", "outside", "link", "guarded"])
STATES = st.builds(
    PermissionState,
    permissions=st.builds(
        Permissions,
        auto_approve_workspace_writes=st.booleans(),
        allow_network=st.booleans(),
        escalation_threshold=st.integers(1, 5),
    ),
    contained=st.booleans(),
    granted=st.frozensets(st.sampled_from(["curl", "bash", CODE, WRITING])),
    refused=st.frozensets(st.just(CODE)),
    denials=st.integers(0, 20),
)
NAMES = st.sampled_from([*READING.split(), *NETWORK.split(), "python", "pip", "npm", "git", "bash", "cp", "x/y"])
WORDS = st.lists(st.text(max_size=12), max_size=5)


@pytest.mark.holds("session.permission.for-good")
@given(NAMES, WORDS, st.frozensets(PLACES), STATES)
def test_no_state_ever_opens_what_lies_outside(
    name: str, words: list[str], places: frozenset[PathPlace], state: PermissionState
) -> None:
    found = decide(CommandRequest((name, *words), places), state)
    assert (found.kind == "denied_for_good") == bool(places - {"inside"})
