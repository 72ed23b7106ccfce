# Two commands matter to a newcomer: `make demo` and `make test`. Both create .venv when there is none.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint bench docs clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/.base

demo: $(VENV)/.base
	$(BIN)/overread demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/radsem.py
	$(BIN)/python benchmarks/lunguage.py
	$(BIN)/python benchmarks/longitudinal.py
	$(BIN)/python benchmarks/scoring.py

docs: $(VENV)/.base
	$(BIN)/python docs/make_cli_reference.py > docs/cli.md

clean:
	rm -rf $(VENV) overread-demo
