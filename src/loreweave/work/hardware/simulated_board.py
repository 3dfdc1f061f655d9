"""A board without a board: runs `main.py` over stand-ins for `machine`, `time`, `network` and their like.

Given to a bare interpreter inside the sandbox, beside the files of the program; it imports nothing of the product.
What is printed and how the pins stand goes into a pipe, a line each; what a person presses and moves is read from a
file. Handlers of pins and timers run in a thread, as interrupts would.
"""

import builtins
import json
import os
import runpy
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

PIPE, INPUTS = ".lore-board", ".lore-inputs.json"
STATE = "\x1e"  # begins a line that tells of pins
LOOK_SECONDS = 0.02  # between two looks at what a person did
TELL_SECONDS = 0.05
HIGHEST, DUTY = 4095, 65_535
_real_sleep = time.sleep


class World:
    """The pins, by their numbers, and the way out."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._out = open(PIPE, "wb", buffering=0)  # noqa: SIM115
        self._line = ""
        self._told = ""
        self._told_at = 0.0
        self._seen: tuple[int, int] | None = None
        self.states: dict[str, dict[str, Any]] = {}
        self.given: dict[str, float] = {}
        self.watchers: dict[str, Callable[[float, float], None]] = {}

    def write(self, text: str) -> int:
        with self._lock:
            *whole, self._line = (self._line + text).split("\n")
            for line in whole:
                self._send(line.replace(STATE, ""))
        return len(text)

    def flush(self) -> None:
        pass

    def show(self, pin: str, mode: str, value: float, colours: list[str] | None = None) -> None:
        state: dict[str, Any] = {"mode": mode, "value": int(value)}
        if colours is not None:
            state["colours"] = colours
        with self._lock:
            self.states[pin] = state
            if time.monotonic() - self._told_at >= TELL_SECONDS:
                self.tell()

    def tell(self) -> None:
        with self._lock:
            told = json.dumps(self.states, sort_keys=True)
            if told != self._told:
                self._told, self._told_at = told, time.monotonic()
                self._send(STATE + told)

    def close(self) -> None:
        with self._lock:
            if self._line:
                self.write("\n")
            self.tell()

    def look(self) -> None:
        """Takes in what a person did since."""
        try:
            found = os.stat(INPUTS)
            mark = (found.st_mtime_ns, found.st_ino)
            if mark == self._seen:
                return
            with open(INPUTS, encoding="utf-8") as file:
                given = {str(pin): float(value) for pin, value in json.load(file).items()}
            self._seen = mark
        except (OSError, ValueError, AttributeError):
            return
        before, self.given = self.given, given
        for pin, value in given.items():
            if pin in self.watchers and before.get(pin) != value:
                self.watchers[pin](before.get(pin, -1), value)

    def _send(self, line: str) -> None:
        self._out.write(line.encode("utf-8", "replace") + b"\n")


world: World


def _name(pin: Any) -> str:
    return pin.name if isinstance(pin, Pin) else str(pin)


class Pin:
    IN, OUT, OPEN_DRAIN = 1, 3, 7
    PULL_UP, PULL_DOWN = 2, 1
    IRQ_RISING, IRQ_FALLING = 1, 2

    def __init__(self, id: Any, mode: int = -1, pull: int | None = None, *, value: Any = None, **_: Any) -> None:
        self.name = _name(id)
        self.init(mode, pull, value=value)

    def init(self, mode: int = -1, pull: int | None = None, *, value: Any = None, **_: Any) -> None:
        self._is_out = mode in (Pin.OUT, Pin.OPEN_DRAIN)
        self._rest = 1 if pull == Pin.PULL_UP else 0
        self._level = 0 if value is None else int(bool(value))
        if mode != -1:
            self._show()

    def value(self, level: Any = None) -> int | None:
        if level is not None:
            self._is_out, self._level = True, int(bool(level))
            self._show()
            return None
        if self._is_out:
            return self._level
        self._show()
        return self._read()

    __call__ = value

    def on(self) -> None:
        self.value(1)

    def off(self) -> None:
        self.value(0)

    def toggle(self) -> None:
        self.value(1 - self._level)

    def irq(self, handler: Any = None, trigger: int = 3, **_: Any) -> "Pin":
        last = [self._read()]

        def changed(before: float, now: float) -> None:
            was, last[0] = last[0], int(bool(now))
            kind = Pin.IRQ_RISING if last[0] > was else Pin.IRQ_FALLING if last[0] < was else 0
            self._show()
            if handler is not None and kind & trigger:
                handler(self)

        world.watchers[self.name] = changed
        return self

    def _read(self) -> int:
        world.look()
        return int(bool(world.given.get(self.name, self._rest)))

    def _show(self) -> None:
        if self._is_out:
            world.show(self.name, "out", self._level)
        else:
            world.show(self.name, "in", self._read())


class Signal:
    def __init__(self, pin: Any, *more: Any, invert: bool = False, **options: Any) -> None:
        self._pin = pin if isinstance(pin, Pin) else Pin(pin, *more, **options)
        self._invert = invert

    def value(self, level: Any = None) -> int | None:
        if level is not None:
            return self._pin.value(bool(level) != self._invert)
        return int(bool(self._pin.value()) != self._invert)

    __call__ = value

    def on(self) -> None:
        self.value(1)

    def off(self) -> None:
        self.value(0)


class ADC:
    ATTN_0DB, ATTN_2_5DB, ATTN_6DB, ATTN_11DB = range(4)
    WIDTH_9BIT, WIDTH_10BIT, WIDTH_11BIT, WIDTH_12BIT = range(4)

    def __init__(self, pin: Any, **_: Any) -> None:
        self._name = _name(pin)
        self.read()

    def read(self) -> int:
        world.look()
        value = min(HIGHEST, max(0, int(world.given.get(self._name, 0))))
        world.show(self._name, "adc", value)
        return value

    def read_u16(self) -> int:
        return self.read() * DUTY // HIGHEST

    def read_uv(self) -> int:
        return self.read() * 3_300_000 // HIGHEST

    def atten(self, *_: Any) -> None:
        pass

    width = init = atten


class PWM:
    def __init__(self, pin: Any, freq: int = 5000, duty: int | None = None, **options: Any) -> None:
        self._name, self._freq, self._duty = _name(pin), freq, 0
        self.init(freq, duty, **options)

    def init(self, freq: int | None = None, duty: int | None = None, duty_u16: int | None = None, **_: Any) -> None:
        self._freq = freq or self._freq
        self.duty_u16(duty_u16 if duty_u16 is not None else (duty or 0) * 64)

    def freq(self, freq: int | None = None) -> int:
        self._freq = self._freq if freq is None else freq
        return self._freq

    def duty(self, duty: int | None = None) -> int:
        """Of 1023, as older programs say it."""
        return self.duty_u16(None if duty is None else min(DUTY, duty * 64)) // 64

    def duty_u16(self, duty: int | None = None) -> int:
        if duty is not None:
            self._duty = min(DUTY, max(0, int(duty)))
        world.show(self._name, "pwm", self._duty)
        return self._duty

    def deinit(self) -> None:
        self.duty_u16(0)


class DAC:
    def __init__(self, pin: Any, **_: Any) -> None:
        self._name = _name(pin)
        self.write(0)

    def write(self, value: int) -> None:
        world.show(self._name, "dac", min(255, max(0, value)))


class Wire:
    """I2C, SPI and UART with nothing at their other end."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def scan(self) -> list[int]:
        return []

    def readfrom(self, address: int, count: int, *_: Any) -> bytes:
        return bytes(count)

    def readfrom_mem(self, address: int, place: int, count: int, **_: Any) -> bytes:
        return bytes(count)

    def read(self, count: int = 0, *_: Any) -> bytes:
        return bytes(count)

    def write(self, data: Any, *_: Any) -> int:
        return len(data)

    def writeto(self, address: int, data: Any, *_: Any) -> int:
        return len(data)

    def writeto_mem(self, address: int, place: int, data: Any, **_: Any) -> None:
        pass

    def readfrom_into(self, *_: Any, **__: Any) -> None:
        pass

    def any(self) -> int:
        return 0

    init = deinit = readfrom_mem_into = readinto = write_readinto = readfrom_into


class Timer:
    ONE_SHOT, PERIODIC = 0, 1

    def __init__(self, id: int = -1, **options: Any) -> None:
        self._stop = threading.Event()
        if options:
            self.init(**options)

    def init(self, *, mode: int = 1, period: float = 1000, freq: float = 0, callback: Any = None, **_: Any) -> None:
        self.deinit()
        self._stop = threading.Event()
        threading.Thread(target=self._run, args=(self._stop, 1 / freq if freq else period / 1000, mode, callback),
                         daemon=True).start()  # fmt: skip

    def _run(self, stop: threading.Event, seconds: float, mode: int, callback: Any) -> None:
        while not stop.wait(max(seconds, 0.001)):
            _guarded(callback, self)
            if mode == Timer.ONE_SHOT:
                return

    def deinit(self) -> None:
        self._stop.set()


class NeoPixel:
    ORDER = (1, 0, 2, 3)

    def __init__(self, pin: Any, n: int, bpp: int = 3, timing: int = 1) -> None:
        self._name, self.n, self.bpp = _name(pin), n, bpp
        self._colours: list[Any] = [(0,) * bpp] * n
        self.write()

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, place: int) -> Any:
        return self._colours[place]

    def __setitem__(self, place: int, colour: Any) -> None:
        self._colours[place] = tuple(colour)

    def fill(self, colour: Any) -> None:
        self._colours = [tuple(colour)] * self.n

    def write(self) -> None:
        shown = ["#" + "".join(f"{int(part) & 255:02x}" for part in each[:3]) for each in self._colours]
        lit = sum(any(each) for each in self._colours)
        world.show(self._name, "neopixel", lit, shown)


class WLAN:
    """A network that is there once it is asked for, and leads nowhere."""

    def __init__(self, interface: int = 0) -> None:
        self._active = self._connected = False

    def active(self, on: Any = None) -> bool:
        self._active = self._active if on is None else bool(on)
        return self._active

    def connect(self, *_: Any, **__: Any) -> None:
        self._connected = True

    def disconnect(self) -> None:
        self._connected = False

    def isconnected(self) -> bool:
        return self._connected

    def status(self, *_: Any) -> int:
        return 1010 if self._connected else 1000

    def scan(self) -> list[Any]:
        return []

    def ifconfig(self, *_: Any) -> tuple[str, str, str, str]:
        return ("192.168.4.2", "255.255.255.0", "192.168.4.1", "192.168.4.1")

    def config(self, *_: Any, **__: Any) -> Any:
        return b"\x00" * 6


def _reset(*_: Any) -> None:
    raise SystemExit("reset")


def _guarded(handler: Any, *arguments: Any) -> None:
    try:
        if handler is not None:
            handler(*arguments)
    except Exception:
        traceback.print_exc()


def _sleep(seconds: float) -> None:
    world.tell()
    _real_sleep(max(0.0, seconds))


def _offer(*names: str, **parts: Any) -> None:
    for name in names:
        module = sys.modules.get(name) or ModuleType(name)
        for part, value in parts.items():
            setattr(module, part, value)
        sys.modules[name] = module


def _nothing(*_: Any, **__: Any) -> int:
    return 0


def furnish() -> None:
    """Puts the modules of a board where the program looks for them."""
    wires = dict.fromkeys(("I2C", "SoftI2C", "SPI", "SoftSPI", "UART", "WDT", "RTC", "SDCard"), Wire)
    _offer("machine", "umachine", Pin=Pin, Signal=Signal, ADC=ADC, PWM=PWM, DAC=DAC, Timer=Timer, **wires,
           TouchPad=ADC, reset=_reset, soft_reset=_reset, freq=lambda *_: 240_000_000, unique_id=lambda: b"simulate",
           lightsleep=lambda ms=0: _sleep(ms / 1000), deepsleep=_reset, idle=lambda: _sleep(0.001),
           reset_cause=lambda: 1, disable_irq=_nothing, enable_irq=_nothing)  # fmt: skip
    _offer("time", sleep=_sleep, sleep_ms=lambda ms: _sleep(ms / 1000), sleep_us=lambda us: _sleep(us / 1e6),
           ticks_ms=lambda: time.monotonic_ns() // 1_000_000, ticks_us=lambda: time.monotonic_ns() // 1000,
           ticks_cpu=time.monotonic_ns, ticks_diff=lambda a, b: a - b, ticks_add=lambda a, b: a + b)  # fmt: skip
    for short in ("time", "os", "json", "random", "struct", "re", "hashlib", "binascii", "collections", "io", "sys"):
        sys.modules[f"u{short}"] = __import__(short)
    _offer("network", WLAN=WLAN, STA_IF=0, AP_IF=1, AUTH_OPEN=0, STAT_GOT_IP=1010, hostname=lambda *_: "board")
    _offer("neopixel", NeoPixel=NeoPixel)
    _offer("micropython", const=lambda value: value, native=lambda each: each, viper=lambda each: each,
           alloc_emergency_exception_buf=_nothing, mem_info=_nothing,
           schedule=lambda handler, argument: _guarded(handler, argument))  # fmt: skip
    _offer("gc", mem_free=lambda: 100_000, mem_alloc=lambda: 10_000)
    _offer("esp", osdebug=_nothing)
    _offer("esp32", raw_temperature=lambda: 100, wake_on_ext0=_nothing)
    builtins.const = lambda value: value  # type: ignore[attr-defined]
    if any(file.endswith(".py") and b"asyncio" in _bytes(file) for file in os.listdir()):
        import asyncio  # few programs need it, and it takes long

        _offer("asyncio", "uasyncio", sleep_ms=lambda ms: asyncio.sleep(ms / 1000))
        sys.modules["uasyncio"] = asyncio


def _bytes(file: str) -> bytes:
    with open(file, "rb") as stream:
        return stream.read()


def _watch() -> None:
    while True:
        _real_sleep(LOOK_SECONDS)
        try:
            world.look()
            world.tell()
        except Exception:
            traceback.print_exc()


def main() -> None:
    global world
    world = World()
    furnish()
    sys.stdout = sys.stderr = world
    sys.path.insert(0, os.getcwd())
    threading.Thread(target=_watch, daemon=True).start()
    try:
        for file in ("boot.py", "main.py"):
            if os.path.exists(file):
                runpy.run_path(file, run_name="__main__")
    except SystemExit:
        pass
    except BaseException:
        traceback.print_exc()
    world.close()
    os._exit(0)  # timers go on for ever


if __name__ == "__main__":
    main()
