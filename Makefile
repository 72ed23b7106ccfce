# Two commands matter to a newcomer: `make demo` and `make test`. Both create .venv when there is none.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint bench docs pictures site serve-site constraints licences audit clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml packages/overread-review/pyproject.toml
ifdef LOCKED
	$(BIN)/python -m pip install --quiet --require-hashes --requirement constraints.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable . --editable packages/overread-review
else
	$(BIN)/python -m pip install --quiet --editable '.[test]' --editable packages/overread-review
endif
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

docs: $(VENV)/.test
	$(BIN)/python docs/make_cli_reference.py > docs/cli.md
	$(BIN)/python docs/make_metric_cards.py > docs/metrics.md
	$(BIN)/python docs/make_api.py > docs/api.md
	$(BIN)/python docs/make_notebooks.py
	$(BIN)/python tools/licences.py --write
	$(BIN)/python docs/hearing.py --write
	$(BIN)/python docs/make_leaderboard.py
	$(BIN)/python docs/make_figures.py
	$(BIN)/python docs/make_llms_txt.py > docs/llms.txt

# The pictures of the tutorial, from the bundled example in a real browser.
pictures: $(VENV)/.test
	$(BIN)/overread demo --no-open --quiet --restart -o site-demo
	$(BIN)/python docs/make_pictures.py site-demo
	rm -rf site-demo

# docs/ as a site in site/, without a network; the leaderboard is drawn from bench/results/.
site: $(VENV)/.test
	$(BIN)/python docs/make_leaderboard.py
	$(BIN)/zensical build --strict -f mkdocs.yml

serve-site: site
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8000

# Exactly the packages that were tested: make test LOCKED=1. Made anew when pyproject.toml changes.
constraints: $(VENV)/.test
	$(BIN)/python tools/constraints.py > constraints.new && mv constraints.new constraints.txt

licences: $(VENV)/.test
	$(BIN)/python tools/licences.py --write

# Known holes in the pinned versions; asks PyPI for its advisories, so it wants a network.
audit: $(BIN)/python
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet pip-audit
	$(VENV)/audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip --strict

clean:
	rm -rf $(VENV) overread-demo
