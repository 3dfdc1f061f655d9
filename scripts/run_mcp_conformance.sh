#!/usr/bin/env bash
# Runs the public MCP conformance runner against a server of its own on a free port.
# The runner and the Node it needs come from the npm registry and are kept in .cache/mcp-conformance;
# with the word `install` nothing but that is done.
# Ends 0 when every scenario passes that does not demand the runner's own fixtures.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
runner="${root}/.cache/mcp-conformance"
python="${PYTHON:-${root}/.venv/bin/python}"
version="0.1.16"

if ! grep -qs "\"version\": \"${version}\"" "${runner}/node_modules/@modelcontextprotocol/conformance/package.json"; then
  mkdir -p "${runner}"
  npm install --prefix "${runner}" --no-audit --no-fund --loglevel=error \
    "node@22" "@modelcontextprotocol/conformance@${version}"
fi

[ "${1:-}" != install ] || exit 0

data="$(mktemp -d)"
touch "${data}/log"  # it is looked into before the server may have opened it
"${python}" -m loreweave.faces.cli.lore serve --port 0 --data "${data}/data" --demo 2> "${data}/log" &
server=$!
trap 'kill "${server}" 2> /dev/null || true; wait "${server}" 2> /dev/null || true; rm -rf "${data}"' EXIT

for _ in $(seq 600); do
  address="$(sed -n 's/^Loreweave listens on //p' "${data}/log")"
  [ -n "${address}" ] && break
  kill -0 "${server}" 2> /dev/null || { cat "${data}/log" >&2; exit 1; }
  sleep 0.1
done
[ -n "${address}" ] || { echo "the server did not start" >&2; exit 1; }

PATH="${runner}/node_modules/.bin:${PATH}" "${runner}/node_modules/.bin/conformance" server \
  --url "${address}/mcp" --suite all --output-dir "${data}/results" \
  --expected-failures "${root}/tests/conformance/expected-failures.yml"
