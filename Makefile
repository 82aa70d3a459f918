# Everything a contributor needs, by one word each; `make help` lists them.

# A Python that was built without profile-guided optimisation, as many built by hand are, is up to a
# third slower: the system's own, which always is, goes before one that does not say it was.
usable    = $(foreach p,$(1),$(if $(shell $(p) -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo yes),$(p)))
optimised = $(foreach p,$(1),$(if $(shell $(p) -c 'import sys, sysconfig; sys.exit("--enable-optimizations" not in (sysconfig.get_config_var("CONFIG_ARGS") or ""))' 2>/dev/null && echo yes),$(p)))
PYTHON   ?= $(firstword $(call optimised,$(call usable,python3)) $(call usable,/usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11))
# Twice as many as two cores: many tests wait for something most of the time.
WORKERS ?= 4
SEEDS   ?= 1000
SOURCES := src tests benchmarks $(wildcard hatch_build.py)
BENCHES := $(basename $(notdir $(shell grep -l __main__ benchmarks/*.py)))

VENV := .venv
PY   := $(VENV)/bin/python

# Every process would compile all that it imports, and take four times as long to start.
export PYTHONDONTWRITEBYTECODE :=

# uv is quick; pip stands in where only pip knows the way to a package index.
install = VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/uv pip install --quiet $(1) || $(PY) -m pip install --quiet $(1)

WEB_MODULES := web/node_modules/.installed
WEB_BUILT   := web/dist/.built

.DEFAULT_GOAL := help
.PHONY: run test check check-python check-web fix bench bench-peers spec docs types simulate help clean browser

run: $(VENV)/.runtime $(WEB_BUILT) ## start the server on http://localhost:8080
	$(VENV)/bin/parlour serve

# What installs, builds and checks goes side by side, two at a time.
test: ## check, then run every test
	@$(MAKE) --no-print-directory -j2 --output-sync=target check browser $(WEB_BUILT)
	@$(PY) -m tests.suite --workers $(WORKERS)

check: $(VENV)/.dev $(WEB_MODULES) ## format, lint, types and layers
	$(VENV)/bin/ruff format --check $(SOURCES)
	$(VENV)/bin/ruff check $(SOURCES)
	@$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2) check-python check-web

check-python:
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-logo

check-web:
	npm --prefix web run --silent check

fix: $(VENV)/.dev $(WEB_MODULES) ## format, and mend what can be mended by itself
	$(VENV)/bin/ruff format $(SOURCES)
	$(VENV)/bin/ruff check --fix $(SOURCES)
	npm --prefix web run --silent format

bench: $(VENV)/.dev ## the quick form of every benchmark
	@for each in $(BENCHES); do $(PY) -m benchmarks.$$each --quick || exit 1; done

bench-peers: $(VENV)/.dev benchmarks/peers/node_modules/.installed ## Parlour beside Colyseus and bare ws, into docs/benchmarks.md
	$(PY) -m benchmarks.peers $(if $(QUICK),--quick)

spec: $(VENV)/.dev ## the requirements that no test proves
	@$(PY) -m tests.spec

docs: $(VENV)/.dev ## write the generated parts of docs/ and the API's document
	$(PY) -m tests.generated

types: $(VENV)/.dev $(WEB_MODULES) ## write what the web app knows of the API, from the handlers
	$(PY) -m tests.generated
	npm --prefix web run --silent types

simulate: $(VENV)/.dev ## long seeded simulation with faults: make simulate SEEDS=100000
	$(PY) -m tests.simulation --seeds $(SEEDS)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' Makefile

clean: ## remove all that was built or installed here
	rm -rf $(VENV) .venv-runtime web/node_modules web/dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

browser: $(VENV)/.dev
	@$(PY) -m tests.chromium

# uv comes out of the same pinned list, so that the whole installation is checked by hash.
$(VENV)/bin/uv: requirements-dev.txt
	@test -n "$(PYTHON)" || { echo "Parlour needs Python 3.11 or newer."; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing (on Debian and Ubuntu: apt install python3-venv)."; exit 1; }
	@awk '/^uv==/{on=1; print; next} on && /^[^ ]/{exit} on' requirements-dev.txt > $(VENV)/uv.txt
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.txt
	@touch $@

$(VENV)/.runtime: $(VENV)/bin/uv requirements.txt pyproject.toml
	$(call install,--require-hashes -r requirements.txt)
	$(call install,--no-deps -e .)
	@touch $@

$(VENV)/.dev: $(VENV)/bin/uv requirements-dev.txt pyproject.toml
	$(call install,--require-hashes -r requirements-dev.txt)
	$(call install,--no-deps -e .)
	@touch $@ $(VENV)/.runtime

web/node_modules/.installed: web/package.json web/package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "Parlour's web app needs Node 20 or newer."; exit 1; }
	npm --prefix web ci --no-audit --no-fund --loglevel=error
	@touch $@

benchmarks/peers/node_modules/.installed: benchmarks/peers/package.json benchmarks/peers/package-lock.json
	npm --prefix benchmarks/peers install --no-save --omit=optional --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' 2>/dev/null)
web/dist/.built: $(WEB_MODULES) $(WEB_SOURCES)
	npm --prefix web run --silent build
	@touch $@
