"""When texts count as the same, and what a memory is called that was given no name."""

import hashlib
import json
import unicodedata

from loreweave.entities.memory import Memory

DEFAULT_NAME = 80  # characters


def same_text(text: str) -> str:
    """NFC, white space collapsed: the form in which equal texts are equal."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_hash(content: str) -> str:
    return hashlib.sha256(same_text(content).encode()).hexdigest()


def default_name(content: str) -> str:
    """The first line that says something, cut."""
    for line in content.splitlines():
        shown = "".join(character for character in line if character.isprintable()).strip()
        name = unicodedata.normalize("NFC", shown)[:DEFAULT_NAME].rstrip()
        if name:
            return name
    return "memory"  # nothing printable in it


def fingerprint(memory: Memory) -> str:
    """Of everything that an edit can change, but importance and relations."""
    said = [memory.name, memory.content, memory.tags, memory.source, memory.valid_from, memory.valid_until]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
