# `make serve` and `make test` do all the set-up themselves; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE := src/loreweave/faces/http/static/index.html
PAGE_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -type f -print 2>/dev/null) $(wildcard examples/*.json)
# Where there is no Node.js, building the page puts one from PyPI into the environment: one thing after the other then.
NODE_FROM := $(if $(shell command -v npm),,$(PAGE))
JOBS := $(if $(NODE_FROM),1,3)

# Tools that are told not to write bytecode would start slowly ever after.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install wheel serve test test-all test-deep check check-sources check-page bench schema lock clean

install: $(VENV)/installed $(PAGE)
	@$(BIN)/python -m compileall -q src

wheel: install
	$(BIN)/python -m hatchling build -t wheel

serve: install
	$(BIN)/lore serve --demo

# All sentences that bind us are held at every change: each law on few examples, PostgreSQL where it may differ, and no
# lengthy test where shorter ones hold the same. `test-all` runs those as well, `test-deep` leaves nothing out.
test:
	@sh scripts/test_prerequisites.sh
	@$(MAKE) --no-print-directory -j $(JOBS) $(VENV)/installed-dev $(PAGE)
	@$(BIN)/python -m compileall -q src
	@sh scripts/run_tests.sh

test-all: export HOUSE_TESTS = all
test-deep: export HOUSE_TESTS = deep
test-all test-deep: test

check: check-sources
	$(BIN)/python scripts/write_schemas.py --check

check-sources:
	$(BIN)/ruff check src tests scripts
	$(BIN)/ruff format --check -q src tests scripts
	$(BIN)/mypy -p loreweave
	$(BIN)/lint-imports --no-cache

check-page: $(PAGE)
	cd web && export PATH="$(CURDIR)/$(BIN):$$PATH" && npm run --silent check && npm test --silent

bench: install $(VENV)/installed-dev $(VENV)/installed-bench
	$(BIN)/python -m tests.benchmarks.run_benchmarks

schema: install
	$(BIN)/python scripts/write_schemas.py

# Locks hold versions and hashes, never a host; extras too, or pip takes what asks for one as not pinned.
lock:
	uv pip compile --universal --no-strip-extras --generate-hashes --no-emit-index-url --no-header -q pyproject.toml --extra build --extra agents -o requirements.lock
	echo uv | uv pip compile --universal --generate-hashes --no-emit-index-url --no-header -q - -o requirements-uv.lock
	uv pip compile --universal --no-strip-extras --generate-hashes --no-emit-index-url --no-header -q pyproject.toml --extra build --extra agents --extra dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) web/node_modules tests/web/drawing/node_modules src/loreweave/faces/http/static

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Loreweave needs Python 3.11 or newer; say which with: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing (Debian: apt-get install python3-venv)" >&2; exit 1; }

$(VENV)/installed: requirements.lock requirements-uv.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing what Loreweave needs into $(VENV), once: half a minute to some minutes, by your network …"
	@sh scripts/install_locked.sh requirements.lock
	@touch $@

# All that `installed` has, and what the tests need.
$(VENV)/installed-dev: requirements-dev.lock requirements.lock requirements-uv.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing what Loreweave and its tests need into $(VENV), once: half a minute to some minutes, by your network …"
	@sh scripts/install_locked.sh requirements-dev.lock
	@touch $(VENV)/installed $@

# Mermaid, in which drawings of graphs are shown to render, and axe, which looks at pages; the page does without them.
$(VENV)/installed-drawing: tests/web/drawing/package-lock.json | $(VENV)/bin/python $(NODE_FROM)
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --prefix tests/web/drawing --loglevel=error --no-audit --no-fund
	@touch $@

# The public runner that holds the MCP server to the protocol.
$(VENV)/installed-conformance: scripts/run_mcp_conformance.sh | $(VENV)/bin/python $(NODE_FROM)
	@bash scripts/run_mcp_conformance.sh install
	@touch $@

$(VENV)/installed-bench: $(VENV)/installed-dev
	$(PYTHON) -m venv $(VENV)/peers && $(VENV)/peers/bin/python -m pip install -q --disable-pip-version-check graphifyy tantivy bm25s PyStemmer langgraph
	-npm install --silent --prefix $(VENV)/peers/node minisearch @modelcontextprotocol/server-memory
	@touch $@

$(PAGE): $(PAGE_SOURCES) | $(VENV)/bin/python
	@echo "Building the page, once until it changes: about a minute, some more where Node.js has to be fetched first …"
	@sh scripts/build_page.sh
	@touch $@
