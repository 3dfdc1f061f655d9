#!/bin/sh
# Puts what a lock names and the product itself into the environment: by uv, which takes a fifth of pip's time, or by pip
# where that cannot be had.
set -eu
cd "$(dirname "$0")/.."
bin="$PWD/.venv/bin"
# An environment whose making was interrupted, or tried before Python had its venv module, is there without pip.
"$bin/python" -c 'import pip' 2> /dev/null || "$bin/python" -m ensurepip > /dev/null
by_pip() { "$bin/python" -m pip install -q --disable-pip-version-check "$@"; }
by_uv() { "$bin/uv" pip install -q --python "$bin/python" "$@"; }
if { [ -x "$bin/uv" ] || by_pip --require-hashes -r requirements-uv.lock; } && by_uv --require-hashes -r "$1"; then
  by_uv --no-deps --no-build-isolation -e .
else
  by_pip --require-hashes -r "$1"
  by_pip --no-deps --no-build-isolation -e .
fi
# Builds test what they made inside walls, where nothing can be written and would be compiled anew each time.
"$bin/python" -c 'import compileall, importlib.util, pathlib
for name in ("_pytest", "coverage", "pluggy", "pygments"):
    if found := importlib.util.find_spec(name):
        compileall.compile_dir(pathlib.Path(found.origin).parent, quiet=2)'
# So is what a search loads: of what uv puts there nothing is compiled, and not everybody may write here.
"$bin/python" -c 'import loreweave.knowledge.digest.digest_library, loreweave.faces.cli.ask_program as ask
ask.run(["search", "--help"])' >/dev/null
