"""The names of glossary entries by the words they are made of."""

from __future__ import annotations

from collections.abc import Iterator

from loreweave.language.identifiers import Token, read_chunk
from loreweave.language.stop_words import STOP_WORDS

Name = tuple[str, ...]  # keys


class GlossaryNames:
    """Finds the entries one of whose names a query holds in full."""

    def __init__(self, entries: list[list[str]]) -> None:
        self._entries: list[list[Name]] = []
        self._by_key: dict[str, list[tuple[int, Name]]] = {}
        for names in entries:
            read = list(dict.fromkeys(filter(None, map(_name_keys, names))))
            if len(read) < 2:
                continue
            for name in read:
                self._by_key.setdefault(name[0], []).append((len(self._entries), name))
            self._entries.append(read)

    def held_by(self, held: set[str]) -> Iterator[tuple[Name, list[Name]]]:
        """(the name that the query holds, the other names that it does not)."""
        done: set[int] = set()
        for key in sorted(held & self._by_key.keys()):
            for entry, name in self._by_key[key]:
                if entry not in done and held.issuperset(name):
                    done.add(entry)
                    yield name, [other for other in self._entries[entry] if not held.issuperset(other)]


def _name_keys(name: str) -> Name:
    tokens = [token for chunk in name.split() for token in read_chunk(chunk)]
    keys = [key for token in tokens for key in _token_keys(token)]
    telling = [key for key in keys if key not in STOP_WORDS]
    return tuple(sorted(set(telling or keys)))


def _token_keys(token: Token) -> list[str]:
    """The fewest keys that say the whole token."""
    words = [mention for mention in token.mentions if mention.word is not None]
    if not words:
        pairs = [mention.key for mention in token.mentions if mention.end - mention.start == 2]
        return list(token.wholes[:1]) or pairs or [mention.key for mention in token.mentions]
    if words[-1].end - words[-1].start == max(mention.end - mention.start for mention in token.mentions):
        return [words[-1].key]  # camelCase is one word too
    return [mention.key for mention in words]
