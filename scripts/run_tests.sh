#!/bin/sh
# Every test, and beside them the checks of the sources, and what has to be fetched for few of the tests, who wait for it:
# a test often waits for a process and leaves a processor free.
# That the schemas are of today is a test as well.
set -eu
cd "$(dirname "$0")/.."
begun=$(date +%s)
patience=300 # seconds the checks may go on after the tests
told=$(mktemp -d)
export PATH="$PWD/.venv/bin:$PATH"
(
  make --no-print-directory -j 2 .venv/installed-drawing .venv/installed-conformance check-sources check-page > "$told/said" 2>&1 &
  trap 'kill "$!" 2> /dev/null' TERM
  ended=0
  wait "$!" || ended=$?
  echo "$ended" 2> /dev/null > "$told/ended"
) &
checking=$!
export HOUSE_INSTALLS="$told/ended" # whoever waits for what is fetched need not wait longer
export HOUSE_FAILURES="$told/failures"
trap 'kill "$checking" 2> /dev/null || true; rm -rf "$told"' EXIT
trap 'exit 130' INT TERM

tests=0
# More than there are processors: many a test waits for a process that was killed to be missed.
python -m tests -q --workers 7 || tests=$?
waited=0
until [ -s "$told/ended" ] || [ "$waited" = "$patience" ]; do
  sleep 1
  waited=$((waited + 1))
done
cat "$told/said"
checks=$(cat "$told/ended" 2> /dev/null) || checks=late
[ "$checks" != late ] || echo "The last check above had not ended $patience seconds after the tests, and was ended." >&2
[ "$checks" = 0 ] || echo "A check failed; what it says stands above." >&2
[ "$tests" = 0 ] || echo "A test failed; pytest's report stands above that of the checks, and ends with:" >&2
[ ! -s "$told/failures" ] || cat "$told/failures" >&2
echo "Checks and tests took $(($(date +%s) - begun)) seconds."
[ "$checks" = 0 ] && [ "$tests" = 0 ]
