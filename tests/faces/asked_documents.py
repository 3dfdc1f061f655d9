"""A small site of documents that the tests of asking share."""

from pathlib import Path

DOCUMENTS = {
    "index.md": "# Toolbox\n\nA toolbox for tests. See [the commands](guide/cli.md#flags).\n",
    "guide/cli.md": (
        "# Command line\n\nRuns `tool`.\n\n## Flags\n\nUse `--no-cache` to read anew; it defaults to `false`.\n\n"
        "| Option | Default |\n|---|---|\n| `retries` | `3` |\n\n## Exit codes\n\nZero means done.\n"
    ),
    "guide/storage.md": (
        "---\ntitle: Storage\ngroup: Concepts\n---\n# Storage\n\n"
        "The Write Ahead Log (WAL) keeps every change before it is made.\n\n"
        "## Backups\n\nSet `TOOL_BACKUP_DIR` first.\n\n"
        "```sh\ntool backup --all\n```\n"
    ),
    "api/reference.mdx": "import X from 'x'\n\n# Reference\n\n<Tabs>\n\n## C++ and C#\n\nCall `open()`.\n\n</Tabs>\n",
}


def write_documents(folder: Path) -> Path:
    for path, text in DOCUMENTS.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
