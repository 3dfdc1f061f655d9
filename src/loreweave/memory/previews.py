"""The beginning of a text, for a list."""

LONGEST = 160  # characters


def preview(content: str) -> str:
    """One line, cut at a word where there is one near the end."""
    text = " ".join(content[: 4 * LONGEST].split())
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[LONGEST // 2 :] else cut) + "…"
