"""The program of a build runs over a simulated board: pins are seen, buttons pressed, sliders moved."""

import os
from pathlib import Path

import pytest
from tests.model_server import ModelServer
from tests.waits import eventually
from tests.work.hardware.board_desk import BoardDesk, board_desk, children_of

from loreweave.errors import Conflict, NotFound

LAMP = """
from machine import Pin, ADC, PWM
import time, network
import helper
lamp = Pin(2, Pin.OUT)
button = Pin(0, Pin.IN, Pin.PULL_UP)
slider = ADC(Pin(34))
motor = PWM(Pin(5), freq=1000)
wlan = network.WLAN(network.STA_IF)
wlan.active(True)
wlan.connect('home', 'secret')
print('online', wlan.isconnected(), helper.NAME)
while True:
    lamp.value(1 - button.value())
    motor.duty_u16(slider.read_u16())
    time.sleep_ms(10)
"""
HANDLERS = """
from machine import Pin, Timer
import neopixel
strip = neopixel.NeoPixel(Pin(4), 2)
strip[1] = (255, 0, 16)
strip.write()
def pressed(pin):
    print('pressed', pin.value())
Pin(12, Pin.IN, Pin.PULL_UP).irq(handler=pressed, trigger=Pin.IRQ_FALLING)
Timer(0).init(period=20, mode=Timer.ONE_SHOT, callback=lambda timer: print('timer'))
while True:
    pass
"""


@pytest.mark.holds("board.simulator")
def test_a_learner_presses_a_button_and_moves_a_slider(desk: BoardDesk) -> None:
    session_id = desk.finished(main__py=LAMP, helper__py="NAME = 'helper'\n")
    hardware = desk.application.hardware
    hardware.simulate(session_id, {"34": 4095})
    desk.hears(session_id, "online True helper", source="simulator")
    eventually(lambda: desk.pins(session_id).get("5", {}).get("value") == 65535, "the motor to follow the slider")
    assert desk.pins(session_id)["2"] == {"mode": "out", "value": 0}
    hardware.set_input(session_id, "0", 0)
    eventually(lambda: desk.pins(session_id)["2"]["value"] == 1, "the lamp to follow the button")
    assert desk.pins(session_id)["0"] == {"mode": "in", "value": 0}
    hardware.set_input(session_id, "34", 0)
    eventually(lambda: desk.pins(session_id)["34"] == {"mode": "adc", "value": 0}, "the slider to be read")
    desk.application.sessions.stop(session_id)
    desk.hears(session_id, "[stopped]", source="simulator")
    eventually(lambda: _refused(desk, session_id), "the simulation to be over")
    assert not [words for words in children_of(os.getpid()) if "machine" in words]


def _refused(desk: BoardDesk, session_id: str) -> bool:
    try:
        desk.application.hardware.set_input(session_id, "0", 1)
    except Conflict:
        return True
    return False


@pytest.mark.lengthy
@pytest.mark.holds("board.simulator")
def test_handlers_of_pins_and_timers_run_while_the_program_is_busy(desk: BoardDesk) -> None:
    session_id = desk.finished(main__py=HANDLERS)
    desk.application.hardware.simulate(session_id, {})
    desk.hears(session_id, "timer")
    strip = {"mode": "neopixel", "value": 1, "colours": ["#000000", "#ff0010"]}
    eventually(lambda: desk.pins(session_id).get("4") == strip, "the strip to be lit")
    desk.application.hardware.set_input(session_id, "12", 0)
    desk.hears(session_id, "pressed 0")


@pytest.mark.holds("board.simulator", "board.lines")
def test_a_program_that_floods_is_held_to_the_pace_and_cleaned(desk: BoardDesk) -> None:
    flood = (
        "print('\\x1b[31mred\\x1b[0m\\x00\\u202e!')\nprint('long ' * 300)\nfor n in range(20000):\n    print('n', n)\n"
    )
    session_id = desk.finished(main__py=flood)
    desk.application.hardware.simulate(session_id, {})
    desk.hears(session_id, "[the program ended]")
    lines = [event["line"] for event in desk.said(session_id)]
    assert lines[0] == "red!"
    assert max(map(len, lines)) == 500
    assert lines[1] == ("long " * 100)
    assert any("lines left out" in line for line in lines)
    assert len(lines) < 1_000


@pytest.mark.holds("board.simulator")
def test_a_program_that_fails_or_ends_says_so(desk: BoardDesk) -> None:
    session_id = desk.finished(main__py="print('last', end='')\nundefined\n")
    desk.application.hardware.simulate(session_id, {})
    desk.hears(session_id, "[the program ended]")
    lines = [event["line"] for event in desk.said(session_id)]
    assert any("NameError: name 'undefined' is not defined" in line for line in lines)
    (desk.folder(session_id) / "main.py").write_text("while True:\n    pass\n")
    desk.application.hardware.simulate(session_id, {})
    (desk.folder(session_id) / "main.py").write_text("print('the second')\n")
    desk.application.hardware.simulate(session_id, {})  # in place of the one that runs
    desk.hears(session_id, "the second")


@pytest.mark.holds("board.simulator")
@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_a_simulation_sees_nothing_of_ours(tmp_path: Path, model_server: ModelServer, sandbox: str) -> None:
    with board_desk(tmp_path, model_server, sandbox=sandbox) as desk:
        _spy(desk)


def _spy(desk: BoardDesk) -> None:
    spying = (
        "import os\nprint(sorted(name for name in os.environ if 'KEY' in name or 'LORE' in name))\n"
        "print(os.listdir('.'))\n"
    )
    session_id = desk.finished(main__py=spying, tests_of_test_it__py="x = 1\n")
    desk.application.hardware.simulate(session_id, {})
    desk.hears(session_id, "[the program ended]")
    lines = [event["line"] for event in desk.said(session_id)]
    assert lines[0] == "[]"
    assert "tests" not in lines[1]


@pytest.mark.holds("board.simulator")
def test_what_cannot_be_simulated_is_refused(desk: BoardDesk) -> None:
    hardware = desk.application.hardware
    with pytest.raises(NotFound):
        hardware.simulate("00000000-0000-0000-0000-000000000000", {})
    with pytest.raises(Conflict):
        hardware.simulate(desk.application.sessions.create().session_id, {})
    session_id = desk.finished(page__html="no program")
    with pytest.raises(Conflict) as refused:
        hardware.simulate(session_id, {})
    assert "main.py" in refused.value.message
    with pytest.raises(Conflict):
        hardware.set_input(session_id, "0", 1)
