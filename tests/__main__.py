"""`python -m tests …`, as `python -m pytest …`: what programs and workers load is loaded once for both."""

import gc
import sys

from tests import fork_server, forked

# The library brings a plugin, so that pytest would write its asserts anew; it has none that we see.
HARMLESS = ("-W", "ignore:Module already imported so cannot be rewritten:pytest.PytestAssertRewriteWarning")


def main() -> int:
    if forked.CAN_FORK:
        fork_server.load_all()
        forked.fork_fork_server()
    sys.dont_write_bytecode = False  # as `make` has it: to write asserts anew is half of what collecting takes
    gc.disable()  # until all tests are collected: see `tests.workers`
    import pytest  # no program shall find it loaded

    return int(pytest.main([*HARMLESS, *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
