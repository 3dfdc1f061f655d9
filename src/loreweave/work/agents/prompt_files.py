"""The texts that models are given as instructions, kept as files so that they can be read and reviewed as text."""

from functools import cache
from importlib.resources import files


@cache
def prompt_file(name: str) -> str:
    return (files("loreweave.work.agents") / "prompts" / f"{name}.md").read_text("utf-8").strip()
