# Every target sets up .venv first; a machine needs Python 3.11 or newer and make, nothing else.

# Override to choose an interpreter: make test PYTHON=python3.12
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)

VENV := .venv
BIN := $(VENV)/bin
# What the demo and the first steps after it need, and what everything else needs besides.
CORE := $(VENV)/.sopforge-core
STAMP := $(VENV)/.sopforge-installed
DEMO := generated/demo

# Of make soak: how many rounds, and the seed of the commands, a new one where it is empty.
ROUNDS ?= 200
SEED ?=

# Of make bench: the tables to print, all where it is empty.
ONLY ?=

# Where Python is kept from keeping what it compiles, each of the thousands of processes that tests
# start would compile all that it imports.
compile = @$(if $(PYTHONDONTWRITEBYTECODE),$(BIN)/python -m compileall -qq -j 0 $(1) || true)

.DEFAULT_GOAL := help
.PHONY: help venv demo quick test test-each test-e2e lint check exhaustive agree mutants soak bench golden clean

help: ## list the targets
	@echo 'make <target>, where target is one of'
	@sed -n 's/^\([a-z][a-z]*\):.*## \(.*\)$$/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

venv: $(STAMP) ## set up .venv with the pinned versions; again only when these change

$(CORE): pyproject.toml constraints.txt
	@test -x $(BIN)/python || { \
	  '$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "SOPForge needs Python 3.11 or newer, but '$(PYTHON)' is" \
	         "$$('$(PYTHON)' --version 2>/dev/null || echo 'not there')." >&2; \
	    echo "Name another one: make $(or $(MAKECMDGOALS),venv) PYTHON=/path/to/python3.11" >&2; \
	    exit 1; \
	  }; \
	  echo "Creating $(VENV) with $$('$(PYTHON)' --version)."; \
	  '$(PYTHON)' -m venv $(VENV); \
	}
	@echo 'Installing SOPForge and its pinned dependencies into $(VENV), once.'
	@.ci/install $(VENV) '.[review]'
	@touch $@

$(STAMP): $(CORE)
	@echo 'Installing what tests need besides into $(VENV), once.'
	@.ci/install $(VENV) '.[review,evaluate,mcp,test]'
	$(call compile,$(VENV)/lib)
	@touch $@

demo: $(CORE) ## brief to published package, offline and without keys, then run the oracle on it
	$(BIN)/sopforge generate briefs/patient_intake.yaml --approve-clean --store $(DEMO)
	$(BIN)/sopforge publish patient_intake --yes --store $(DEMO)
	$(BIN)/sopforge run-oracle $(DEMO)/patient_intake/releases/1.0.0/patient_intake

# The end-to-end tests wait for servers and a browser most of the time, so they run beside the others.
# What they print is shown after these. Both run even if one fails: one run shows everything.
test: $(STAMP) ## run all tests
	$(call compile,sopforge flows review)
	@$(MAKE) --no-print-directory -k -j 2 test-each test-e2e; \
	  status=$$?; cat $(VENV)/e2e.log; exit $$status

# Many tests wait for processes: three workers keep two cores busy.
test-each: $(STAMP)
	$(BIN)/pytest -n 3 --dist worksteal -m 'not e2e and not exhaustive'

# Those of a file share its servers, one after another, while another file's use the other core.
# Pytest's status 5 says that there were none.
test-e2e: $(STAMP)
	@$(BIN)/pytest -n 2 --dist loadfile -m 'e2e and not exhaustive' tests/e2e > $(VENV)/e2e.log 2>&1 || test $$? -eq 5

quick: $(STAMP) ## run in a minute what a change most likely breaks: format, imports, its tests, a small domain
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n 2 --dist worksteal -m 'not e2e and not exhaustive' $$($(BIN)/python -m tests.quick)

exhaustive: $(STAMP) ## repeat at all places what the tests show at each kind of place; before a release
	$(BIN)/pytest -n 2 -m exhaustive

lint: $(STAMP) ## format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test ## what a change must pass: lint, then test

agree: $(STAMP) ## prove on 2,000 models that all readings agree, on 10,000 levels that they say the same; hours
	SOPFORGE_AGREE_MODELS=2000 $(BIN)/pytest tests/property/test_readings_agree.py
	SOPFORGE_AGREE_TABLES=300 $(BIN)/pytest tests/property/test_tables_agree.py
	SOPFORGE_AGREE_TABLES=60 $(BIN)/pytest tests/property/test_gold_by_trying.py
	SOPFORGE_AGREE_LEVELS=10000 $(BIN)/pytest tests/property/test_levels_resolve.py

mutants: $(STAMP) ## change a tenth of the core's places, one at a time; the tests must notice; half an hour
	$(BIN)/python -m tests.mutation

soak: $(STAMP) ## kill commands and the review app at random, in a folder and on S3; ROUNDS=200, SEED=
	$(BIN)/python -m tests.soak folder $(ROUNDS) $(SEED)
	$(BIN)/python -m tests.soak s3 $(ROUNDS) $(SEED)
	$(BIN)/python -m tests.soak review $(ROUNDS) $(SEED)

bench: $(STAMP) ## measure speed, each table as it is ready; ONLY="sampling readings" for some
	$(BIN)/python -m benchmarks $(ONLY)

golden: $(STAMP) ## rewrite the expected outputs; read the difference before you commit it
	$(BIN)/pytest tests/golden tests/unit/domain --rewrite-golden

clean: ## remove caches and build output; keeps .venv and generated/
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
	  .hypothesis .coverage htmlcov
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
