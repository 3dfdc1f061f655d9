"""A file is the old one or the new one, whatever happens while it is written."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, data: bytes) -> None:
    """Written beside the old one, down to the disk, then put in its place. A link stays one: its target is replaced."""
    place = Path(os.path.realpath(file))
    temporary = place.with_name(f".{place.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(OSError):
            os.chmod(temporary, os.stat(place).st_mode & 0o777)
        os.replace(temporary, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _settle_folder(place.parent)


def _settle_folder(folder: Path) -> None:
    """The new name reaches the disk, too, where a folder can be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
