"""Bytes of a file to clean text: one line end, no byte order mark, no NUL."""

import codecs

_UNDEFINED = {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # bytes that cp1252 leaves open
_CP1252 = "".join("\ufffd" if byte in _UNDEFINED else bytes([byte]).decode("cp1252") for byte in range(256))
_UNWRITTEN = bytes({*range(32)} - {*b"\t\n\f\r\x1b"})  # what nobody types: in a picture every tenth byte is one
_MOST_UNWRITTEN = 50  # bytes for each of these in what still is a text


def decode_text(data: bytes) -> tuple[str, str | None]:
    """Text with LF line ends, and what was odd about its encoding."""
    text, oddity = _decode(data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text, oddity


def _decode(data: bytes) -> tuple[str, str | None]:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16"), None
        except UnicodeDecodeError:
            return data.decode("utf-16", "replace"), "damaged UTF-16; unreadable characters were replaced"
    if len(data) % 2 == 0 and b"\0" in data:
        for encoding, empty, full in (("utf-16-le", data[1::2], data[::2]), ("utf-16-be", data[::2], data[1::2])):
            if empty.count(0) > len(empty) // 2 and 0 not in full:  # plain letters, half of each empty
                return data.decode(encoding, "replace"), "UTF-16 without a byte order mark"
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        if len(data) - len(data.translate(None, _UNWRITTEN)) > len(data) // _MOST_UNWRITTEN:
            return "", "no text at all; its bytes were not read"
        return codecs.charmap_decode(data, "strict", _CP1252)[0], "not UTF-8; read as Windows-1252"
