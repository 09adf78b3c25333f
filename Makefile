PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# uv would be quicker, but a fresh machine has none; pip comes with Python.
INSTALLED := $(VENV)/.installed
TESTABLE := $(VENV)/.testable

.PHONY: demo test lint fixtures clean

demo: $(INSTALLED)  ## run the checked-in fixtures with the simulated model and print the report
	$(BIN)/evaluator run fixtures/

test: $(TESTABLE)  ## install what the tests need, and run them all
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

lint: $(TESTABLE)  ## style, types, and the rule that miner never imports evaluator
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fixtures: $(INSTALLED)  ## mine the checked-in fixtures again from the demonstration history
	rm -rf fixtures/billing fixtures/set.yaml demonstration
	$(BIN)/python -m tests.demonstration.build demonstration
	$(BIN)/miner harvest --repo demonstration --name billing
	$(BIN)/miner impossible --count 3
	$(BIN)/miner stratify --cap 8000 --model simulated:article --impossible 3
	rm -rf demonstration

$(INSTALLED): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(TESTABLE): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) runs demonstration
