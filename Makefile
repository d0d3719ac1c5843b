# Everything happens in .venv, which `make` creates; nothing else on the machine is touched.
# Python files need no rebuild (the install is editable); a change under cpp/ rebuilds the core.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SETUP := tools/setup_env.py

CPP := $(shell find cpp -name '*.h' -o -name '*.cpp')
CORE := $(filter-out cpp/tests/%,$(CPP))
JS := 'src/**/*.js' 'src/**/*.d.ts' eslint.config.js
NPM_BIN := node_modules/.bin

# The environment's tools come first, its stand-in compiler (see tools/setup_env.py) last.
export PATH := $(abspath $(BIN)):$(PATH):$(abspath $(VENV))/zig
# Named outright, since scikit-build-core would take the compiler that built Python, here or not.
ifeq ($(origin CXX),default)
CXX := $(shell for name in c++ g++ clang++; do command -v $$name && exit; done; echo c++)
endif
export CXX
CORES := $(shell nproc 2>/dev/null || echo 2)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# One target at a time, whatever -j says: most of them write to .venv. Compiling is parallel below.
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile
	@echo "PYTHON=python3.12 picks the interpreter, VENV=.venv312 another environment."

# Messages name the program by its path, since no shell finds it by its name alone.
play web window: export PLYGROUND_COMMAND := $(BIN)/plyground

play: $(VENV)/package.stamp  ## play a game in the terminal
	@trap : INT; $(BIN)/plyground play || [ $$? -eq 130 ]  # Ctrl-C is no error

web: $(VENV)/package.stamp $(VENV)/web.stamp  ## play in a browser
	@trap : INT; $(BIN)/plyground web || [ $$? -eq 130 ]

window: $(VENV)/package.stamp $(VENV)/window.stamp  ## play, watch and replay games in a window
	@trap : INT; $(BIN)/plyground window || [ $$? -eq 130 ]

test: lint test-cpp test-py test-crosscheck  ## everything CI runs: lint, types, C++ tests, Python tests

lint: $(VENV)/test.stamp $(VENV)/js.stamp  ## formatting, lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(CPP)
	$(BIN)/mypy
	$(NPM_BIN)/prettier --log-level warn --check $(JS)
	$(NPM_BIN)/eslint --max-warnings 0 src eslint.config.js
	$(NPM_BIN)/tsc

# The thread sanitizer excludes the others, so what runs threads is built once more with it.
test-cpp: $(VENV)/tools.stamp  ## the core's own tests, under sanitizers
	$(call cpp-tests,memory,all)
	$(BIN)/ctest --test-dir build/cpp-memory --output-on-failure --parallel $(CORES)
	$(call cpp-tests,thread,test_quoridor_engine test_reversi_engine test_reversi_endgame test_gumbel test_gumbel_threads test_quoridor_vector test_reversi_vector test_quoridor_textbook test_workers)
	$(BIN)/ctest --test-dir build/cpp-thread --output-on-failure --parallel $(CORES) -R '^test_(quoridor_engine|reversi_engine|reversi_endgame|gumbel|gumbel_threads|quoridor_vector|reversi_vector|quoridor_textbook|workers)$$'

define cpp-tests
$(BIN)/cmake -S . -B build/cpp-$(1) -G Ninja --log-level=NOTICE \
	-DPLYGROUND_TESTS=ON -DPLYGROUND_NATIVE=ON -DPLYGROUND_SANITIZE=$(1)
$(BIN)/cmake --build build/cpp-$(1) --target $(2)
endef

# On all cores, up to four; tests/conftest.py says what stays together.
test-py: $(VENV)/test.stamp $(VENV)/js.stamp  ## the Python tests, but for the slow ones
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadgroup

test-slow: $(VENV)/test.stamp  ## the slow Python tests: deep perft and the like
	$(BIN)/python -m pytest -m slow

# In processes of their own: jax does not go with tests that fork.
test-crosscheck: $(VENV)/test.stamp  ## the tree search beside its authors' own, mctx
	$(BIN)/python -m pytest -m crosscheck -n auto --maxprocesses 4 tests/search

bench: $(VENV)/bench.stamp  ## measure the rules, beside OpenSpiel
	$(BIN)/plyground bench rules

wheel: $(VENV)/wheel.stamp  ## a wheel for any machine of this kind, in dist/
	@$(BIN)/python tools/build_wheel.py dist

sdist: $(VENV)/tools.stamp  ## the source archive, in dist/
	@$(BIN)/python -c 'from scikit_build_core.build import build_sdist; print("dist/" + build_sdist("dist"))'

docs: $(VENV)/package.stamp $(VENV)/docs.stamp  ## build the site with the API reference, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo build/site/index.html

stubs: $(VENV)/test.stamp  ## write src/plyground/_core.pyi again from the built core
	$(BIN)/python -m nanobind.stubgen -q -P -m plyground._core -o src/plyground/_core.pyi
	-$(BIN)/ruff check --fix --quiet src/plyground/_core.pyi
	$(BIN)/ruff format src/plyground/_core.pyi

format: $(VENV)/test.stamp $(VENV)/js.stamp  ## format all code
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)
	$(NPM_BIN)/prettier --log-level warn --write $(JS)

clean:  ## remove everything that make made
	rm -rf $(VENV) .venv.lock node_modules build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

.PHONY: help play web window test lint test-cpp test-py test-slow test-crosscheck bench wheel sdist docs stubs format clean

# Each stamp says that one step of the set-up is done and newer than what it was made from. The
# set-up is told what that is and writes the stamp itself, so that two makes can run at once.

$(VENV)/tools.stamp: pyproject.toml $(SETUP)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "plyground needs Python 3.11 or newer; name one with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) $(SETUP) $(VENV) tools $^

$(VENV)/package.stamp: $(VENV)/tools.stamp CMakeLists.txt $(CORE)
	@$(BIN)/python $(SETUP) $(VENV) package $^

$(VENV)/test.stamp $(VENV)/docs.stamp $(VENV)/web.stamp $(VENV)/window.stamp $(VENV)/bench.stamp: $(VENV)/%.stamp: $(VENV)/tools.stamp | $(VENV)/package.stamp
	@$(BIN)/python $(SETUP) $(VENV) $* $^

# A wheel is compiled on its own, so the package need not be built first.
$(VENV)/wheel.stamp: $(VENV)/tools.stamp
	@$(BIN)/python $(SETUP) $(VENV) wheel $^

# The tools that check JavaScript go into node_modules; if that was deleted, they are installed again.
ifeq ($(wildcard $(NPM_BIN)),)
$(shell rm -f $(VENV)/js.stamp)
endif

$(VENV)/js.stamp: $(VENV)/tools.stamp package.json package-lock.json .npmrc
	@$(BIN)/python $(SETUP) $(VENV) js $^

# A checkout that was moved or copied has to be set up again: .venv is full of absolute paths.
ifneq ($(shell cat $(VENV)/made-in 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/tools.stamp
endif
