"""How much a source may bring. Every limit is inclusive: exactly at it is accepted."""

from dataclasses import dataclass

from loreweave.errors import TooLarge

MAX_ENTRIES = 10_000


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What ZIP files and repositories are held to; folders have none of these."""

    max_zip_bytes: int
    max_files: int
    max_markdown_bytes: int
    max_entries: int = MAX_ENTRIES

    def check_zip_bytes(self, found: int) -> None:
        _check("zip_bytes", "The archive is larger than {limit} bytes", found, self.max_zip_bytes)

    def check_files(self, found: int) -> None:
        _check("files", "The source holds more than {limit} markdown files", found, self.max_files)

    def check_markdown_bytes(self, found: int) -> None:
        _check("markdown_bytes", "The markdown is larger than {limit} bytes", found, self.max_markdown_bytes)

    def check_entries(self, found: int) -> None:
        _check("entries", "The archive holds more than {limit} entries", found, self.max_entries)


def _check(what: str, sentence: str, found: int, limit: int) -> None:
    if found > limit:
        raise TooLarge(sentence.format(limit=limit), what=what, limit=limit)
