#!/bin/sh
# Every test, and the checks of the sources beside them: a test often waits for a process and leaves a processor free.
# That the schemas are of today is a test as well.
set -eu
cd "$(dirname "$0")/.."
begun=$(date +%s)
told=$(mktemp)
export PATH="$PWD/.venv/bin:$PATH"
make --no-print-directory check-sources check-page > "$told" 2>&1 &
checking=$!
trap 'kill "$checking" 2> /dev/null || true; rm -f "$told"' EXIT
trap 'exit 130' INT TERM

checks=0
tests=0
# More than there are processors: many a test waits for a process that was killed to be missed.
python -m tests -q --workers 7 || tests=$?
wait "$checking" || checks=$?
cat "$told"
[ "$checks" = 0 ] || echo "A check failed; what it says stands above." >&2
[ "$tests" = 0 ] || echo "A test failed; pytest's report stands above that of the checks." >&2
echo "Checks and tests took $(($(date +%s) - begun)) seconds."
[ "$checks" = 0 ] && [ "$tests" = 0 ]
