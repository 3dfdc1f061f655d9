#!/bin/sh
# What the tests need besides Python and Node.js: PostgreSQL's server, Chromium and, on Linux, bubblewrap. Installs them where it may.
set -eu
missing=""
have_postgres() { command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
have_chromium() {
  for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v "$name" >/dev/null 2>&1 && return; done
  return 1
}
have_bubblewrap() { [ "$(uname -s)" != Linux ] || command -v bwrap >/dev/null 2>&1; }
have_postgres || missing="$missing postgresql"
have_chromium || missing="$missing chromium"
have_bubblewrap || missing="$missing bubblewrap"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing what the tests need:$missing" >&2
  apt-get update -qq
  # Chromium without its windows draws the same pages for two thirds of the work.
  if apt-cache show chromium-headless-shell >/dev/null 2>&1; then missing=$(echo "$missing" | sed 's/chromium/&-headless-shell/'); fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
  exit 0
fi
echo "The tests need:$missing" >&2
echo "Debian or Ubuntu: sudo apt-get install$missing    macOS: brew install postgresql@16 && brew install --cask chromium" >&2
exit 1
