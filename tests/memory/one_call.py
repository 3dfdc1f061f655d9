"""A process of its own that makes calls at a store: `python -m tests.memory.one_call SETTINGS CALLS`, both JSON."""

import json
import sys
from pathlib import Path

from tests.memory.curator import Curator

from loreweave.errors import LoreError
from loreweave.settings import Settings


def main() -> None:
    given, calls = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    settings = Settings(
        data_dir=Path(given["data_dir"]), database_url=given["database_url"], failpoint=given.get("failpoint", "")
    )
    curator = Curator(settings, Path(given["clock_file"]))
    if given.get("waits"):
        print("ready", flush=True)
        sys.stdin.readline()
    for tool, arguments in calls:
        try:
            answer = (
                curator.call(tool, **arguments) if tool else curator.application.memory.sweep(asked=True).model_dump()
            )
        except LoreError as refusal:
            answer = refusal.shape()
        print(json.dumps(answer), flush=True)
    curator.close()


if __name__ == "__main__":
    main()
