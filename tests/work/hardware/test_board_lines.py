"""What boards say is cut into lines, cleaned and held to a pace."""

import pytest

from loreweave.seams.host.serial_board import board_kind
from loreweave.work.hardware.board_lines import LONGEST, MOST_A_SECOND, LineCutter, Pace


@pytest.mark.holds("board.lines")
def test_lines_are_whole_clean_and_short() -> None:
    cutter = LineCutter()
    assert cutter.cut(b"on") == []
    assert cutter.cut(b"e\r\ntw\xc3") == ["one"]
    assert cutter.cut(b"\xb6\n\x1b[2J\x1b]0;title\x07clear\x00\x08\x7f\n") == ["twö", "clear"]
    assert cutter.cut("\u202eturned\u2066\n".encode()) == ["turned"]
    assert cutter.cut(b"\xff\xfe\n") == ["��"]
    assert cutter.cut(b"x" * 1200 + b"\n") == ["x" * LONGEST, "x" * LONGEST, "x" * 200]
    assert [len(line) for line in cutter.cut(b"y" * 501)] == [500, 1]
    assert cutter.cut(b"rest", is_last=True) == ["rest"]


@pytest.mark.holds("board.lines")
def test_no_second_has_more_than_fifty_lines() -> None:
    now = 0.0
    pace = Pace(lambda: now)
    times: list[float] = []
    lines: list[str] = []
    for step in range(200):
        now = step * 0.05
        told = pace.admit(["line"] * 7)
        lines += told
        times += [now] * len(told)
    lines += pace.left_out()
    assert all(sum(start <= each < start + 1.0 for each in times) <= MOST_A_SECOND for start in times)
    left_out = sum(int(line.split()[0][1:]) for line in lines if "left out" in line)
    assert lines.count("line") + left_out == 200 * 7


@pytest.mark.parametrize(
    ("vid", "pid", "kind"),
    [
        (0x10C4, 0xEA60, "ESP32 (CP210x)"),
        (0x1A86, 0x55D4, "ESP32 (CH9102)"),
        (0x303A, 0x1001, "ESP32 (native USB)"),
        (0x303A, 0xFFFF, "ESP32 (native USB)"),
        (0x1A86, 0x7523, None),
        (0x10C4, 0xEA61, None),
        (None, None, None),
    ],
)
@pytest.mark.holds("board.detect")
def test_a_board_is_known_by_its_usb_id(vid: int | None, pid: int | None, kind: str | None) -> None:
    assert board_kind(vid, pid) == kind
