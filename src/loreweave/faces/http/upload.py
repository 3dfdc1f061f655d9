"""An uploaded archive, read part by part as it arrives: bounded in every way, and on disk while it is long.

The file it is kept in has no name: nobody else can open it, and it is gone when the process is.
"""

import io
import logging
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self, cast

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from loreweave.contracts.skill_graph import ZipIngestFields
from loreweave.errors import InvalidInput, TooLarge, Unavailable
from loreweave.faces.http.asked_values import announced_length
from loreweave.faces.request_values import read_texts

# What a stranger sends wrong is told to him; the log is not his to fill.
logging.getLogger("python_multipart.multipart").setLevel(logging.CRITICAL)

MAX_PARTS = 32
MAX_FIELD_BYTES = 64 * 1024
KEPT_IN_MEMORY = 64 * 1024  # bytes of an archive that is still coming
OVERHEAD = 256 * 1024  # what boundaries, part headers and fields may add to the file
FILE = "file"


@dataclass(slots=True)
class _Part:
    name: str
    filename: str | None
    data: IO[bytes]
    size: int = 0


@dataclass
class UploadForm:
    """The form as far as it has arrived."""

    limit: int
    folder: Path  # where there is room for what is long
    parts: int = 0
    fields: list[tuple[str, str]] = field(default_factory=list)
    file: IO[bytes] | None = None
    filename: str | None = None
    file_begun: bool = False
    finished: bool = False
    _headers: dict[bytes, bytes] = field(default_factory=dict)
    _header: tuple[bytearray, bytearray] = field(default_factory=lambda: (bytearray(), bytearray()))
    _part: _Part | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        for data in (self.file, self._part.data if self._part else None):
            if data is not None:
                data.close()

    def archive(self) -> bytes:
        """All of it: asked for by whoever unpacks it, so that those who wait for their turn wait on disk."""
        assert self.file is not None
        return self.file.read()

    def checked_fields(self) -> ZipIngestFields:
        """The fields beside the file, or what is wrong with them."""
        given = dict(self.fields)
        if given.get("sourceType", "zip") != "zip":
            raise InvalidInput(
                "sourceType must be zip for an upload; a GitHub source is sent as JSON", field="sourceType"
            )
        return read_texts(ZipIngestFields, self.fields)

    def field_under_way(self) -> bool:
        """Whether the form stopped inside a field: cut off, too long, or no text."""
        return self._part is not None and self._part.name != FILE

    def callbacks(self) -> Any:
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._open_part,
            "on_part_data": self._take_data,
            "on_part_end": self._end_part,
            "on_end": self._finish,
        }

    def _begin_part(self) -> None:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise InvalidInput(f"The form has more than {MAX_PARTS} parts")
        self._headers = {}

    def _end_header(self) -> None:
        name, value = self._header
        self._headers[bytes(name).lower()] = bytes(value)
        self._header = (bytearray(), bytearray())

    def _open_part(self) -> None:
        kind, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        if kind != b"form-data" or b"name" not in options:
            raise InvalidInput("Every part of the form needs a name")
        filename = options.get(b"filename")
        name = _text(options[b"name"])
        if name == FILE and self.file is not None:
            raise InvalidInput("file is given twice", field=FILE)
        if name != FILE and filename is not None:
            raise InvalidInput("An archive is sent in the field file", field=FILE)
        self.file_begun = self.file_begun or name == FILE
        data = self._new_file() if name == FILE else io.BytesIO()
        self._part = _Part(name, None if filename is None else _text(filename), data)

    def _new_file(self) -> IO[bytes]:
        folder = str(self.folder) if self.folder.is_dir() else None
        return cast(IO[bytes], tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY, "w+b", dir=folder))

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        part = self._part
        assert part is not None
        part.size += end - start
        if part.name == FILE and part.size > self.limit:
            raise upload_too_large(self.limit)
        if part.name != FILE and part.size > MAX_FIELD_BYTES:
            raise InvalidInput("A field of the form is too long", field=part.name[:80])
        try:
            part.data.write(data[start:end])
        except OSError as trouble:
            raise Unavailable(f"There is no room for the upload: {trouble.strerror}", part="disk") from trouble

    def _end_part(self) -> None:
        part = self._part
        assert part is not None
        part.data.seek(0)
        if part.name == FILE:
            self.file, self.filename = part.data, part.filename
        else:
            self.fields.append((part.name, _field_text(part)))
        self._part = None

    def _finish(self) -> None:
        self.finished = True


async def receive_upload(request: Request, form: UploadForm) -> None:
    """Fills the form from the request; what has arrived stays in it when the rest is refused."""
    if (announced_length(request) or 0) > form.limit + OVERHEAD:
        raise upload_too_large(form.limit)
    received = 0
    try:
        parser = MultipartParser(_boundary(request), form.callbacks())
        async for chunk in request.stream():
            received += len(chunk)
            if received > form.limit + OVERHEAD:
                raise upload_too_large(form.limit)
            parser.write(chunk)
        parser.finalize()
    except FormParserError:
        raise InvalidInput("The form cannot be read as multipart/form-data") from None
    except ClientDisconnect:
        raise InvalidInput("The upload broke off") from None
    if not form.finished:
        raise InvalidInput("The form ends too early")
    form.checked_fields()
    if form.file is None:
        raise InvalidInput("file is required", field=FILE)


def upload_too_large(limit: int) -> TooLarge:
    return TooLarge(f"The upload is larger than {limit:,} bytes", what="zip_bytes", limit=limit)


def _boundary(request: Request) -> bytes:
    _, options = parse_options_header(request.headers.get("content-type", ""))
    if not options.get(b"boundary"):
        raise InvalidInput("The form has no boundary", field="Content-Type")
    return options[b"boundary"]


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _field_text(part: _Part) -> str:
    try:
        return part.data.read().decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput(f"{part.name[:80]} is not UTF-8 text", field=part.name[:80]) from None
