# Two commands on a fresh machine: `make demo` and `make test`. Needs Python 3.11+ and make.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
COMPILED := .venv-compiled
TESTED := .venv-tested
SOAK_S ?= 1800
PINS := constraints.txt pyproject.toml setup.py packaging/set_up.py packaging/check_environment.py
RESULTS := .cache/results
SOURCES := $(shell find src -name '*.py') $(wildcard src/lastvalue/http/console_assets/*)
# So many tests run at once, those of a file one after the other; 0 is all one by one.
# On two processors one more has work while others wait for a timer, a disk or a peer.
WORKERS ?= 3
# $(1) is the run, whose tests `tests/runs.toml` lists; they begin in the order of `tests/conftest.py`.
run_tests = -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --run $(1) --junit-xml=$(RESULTS)/$(1).xml

.PHONY: abuse cluster-demo cluster-faults help setup demo site wheel console live chart mutations test test-all test-quick test-rest tested-wheel test-compiled try-install fresh test-long fuzz crash crash-compiled crowds once parity release-check simulate soak spark-matrix suites clients docs check format bench bench-guard clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(VENV)/.ready  ## make the virtual environment with everything pinned

define WHY
import sys, zipfile
reason = zipfile.ZipFile(sys.argv[1]).read("lastvalue/plain_python.txt").decode().strip()
print(f"lastvalue: {sys.argv[1]} is plain Python: {reason}")
endef
export WHY

# $(1) is the folder, $(2) what it is for: see packaging/set_up.py.
define set_up
	@test -n "$(PYTHON)" || { echo "lastvalue needs Python 3.11 or newer on PATH (or make PYTHON=/path/to/python3)" >&2; exit 1; }
	@$(PYTHON) packaging/set_up.py $(1) $(2)
endef

$(VENV)/.ready: $(PINS)
	$(call set_up,$(VENV),test)

$(VENV)/.ready-demo: $(PINS)
	@echo "A minute or two the first time: PySpark is 450 MB"
	$(call set_up,$(VENV),demo)

demo: $(VENV)/.ready-demo  ## replay real aircraft positions through Spark into a last-value queue and watch it
	$(BIN)/lastvalue demo $(DEMO)

wheel:  ## a wheel for PYTHON in dist/, its hot modules compiled where there is a C compiler
	@test -n "$(PYTHON)" || { echo "lastvalue needs Python 3.11 or newer on PATH (or make PYTHON=/path/to/python3)" >&2; exit 1; }
	@rm -rf build && $(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir dist .
	@ls dist/*.whl
	@newest=$$(ls -t dist/*.whl | head -n 1); case $$newest in *-none-any.whl) $(PYTHON) -c "$$WHY" "$$newest" >&2;; esac

console:  ## build the web console from console/ into the package; needs Node and npm
	cd console && npm ci --no-audit --no-fund --ignore-scripts && npm run --silent check && npm run --silent build

live: setup  ## a browser before 10,000 updates a second over 5,000 keys for a minute; frames and memory
	LASTVALUE_LIVE_S=$(or $(LIVE_S),60) LASTVALUE_LIVE_RATE=10000 LASTVALUE_LIVE_KEYS=5000 \
		$(BIN)/python -m pytest -s -n 0 tests/browser/test_live_feed.py $(PYTEST)

chart: setup  ## render the Helm chart for the tests of machines without helm; needs helm
	$(BIN)/python tests/packaging/rendered_chart.py --write

# $(1) is the target, $(2) what it does; $(3) are the environments of its tests.
define sum_up
	@began=$$(date +%s); status=0; { $(2); } || status=$$?; \
	$(PYTHON) packaging/summary.py '$(1)' $$(($$(date +%s) - began)) $(RESULTS) $(3); exit $$status
endef

test:  ## what to run before a commit, on plain Python: all but what takes long, in some minutes
	@$(PYTHON) packaging/summary.py --begin $(RESULTS)
	$(call sum_up,make test,$(MAKE) test-quick,$(VENV))

test-all:  ## all that CI tests: `make test`, what it leaves out, and the compiled wheel
	$(call sum_up,make test-all,$(MAKE) test && $(MAKE) -j2 test-rest tested-wheel && $(MAKE) test-compiled,$(VENV) $(TESTED))

test-quick: setup
	LASTVALUE_PROFILE=quick $(BIN)/python $(call run_tests,quick) -m 'not long' $(PYTEST)

test-rest: setup  ## what `make test` leaves out, on plain Python
	$(BIN)/python $(call run_tests,rest) -m 'not long' $(PYTEST)

tested-wheel: $(TESTED)/.ready

.venv-%/.ready-before-wheel: $(PINS)
	$(call set_up,.venv-$*,before-wheel)

# Build the wheel as a user does, $(2) being how well its modules are optimised, and install it in $(1).
define install_wheel
	@echo "Building the wheel with its compiled modules"
	@rm -rf dist && LASTVALUE_OPT_LEVEL=$(2) $(MAKE) --no-print-directory wheel PYTHON=$(BIN)/python
	$(call set_up,$(1),wheel dist/*.whl)
endef

$(COMPILED)/.ready: $(VENV)/.ready $(COMPILED)/.ready-before-wheel $(SOURCES)
	$(call install_wheel,$(COMPILED),2)

# Optimising takes the compiler minutes, and finds no fault.
$(TESTED)/.ready: $(VENV)/.ready $(TESTED)/.ready-before-wheel $(SOURCES)
	$(call install_wheel,$(TESTED),0)

test-compiled: $(TESTED)/.ready  ## the tests of the compiled wheel
	$(TESTED)/bin/python $(call run_tests,wheel) -m 'not spark and not pure and not long' $(PYTEST)

TRIALS ?= readme sdist container
try-install:  ## install as README, the source archive and the Containerfile do; serve, send and browse with it
	$(PYTHON) packaging/try_install.py $(TRIALS)

fresh:  ## CI's run, then the demo and a part of the tests where there is no compiler, Node or Java
	bash .ci/run --long

test-long: $(COMPILED)/.ready  ## the longest tests, and property and fuzz tests with many more examples
	$(BIN)/python -m pytest -m long --timeout=3600 $(PYTEST)
	LASTVALUE_EXAMPLES=5000 $(BIN)/python -m pytest tests/properties tests/fuzz --timeout=3600 $(PYTEST)
	LASTVALUE_EXAMPLES=20000 $(COMPILED)/bin/python -m pytest tests/properties tests/fuzz --timeout=3600 $(PYTEST)

mutations: setup  ## break a copy of the code in each way of tests/mutations.toml; its tests must find each (ONLY=NAME)
	$(BIN)/python tests/architecture/mutations.py $(ONLY)

FUZZ_SECONDS ?= 300
fuzz: setup  ## coverage-guided fuzzing of codec, engine, broker and CORE, FUZZ_SECONDS each; needs `pip install atheris`
	for target in codec engine broker core; do $(BIN)/python tests/fuzz/coverage_fuzz.py $$target $(FUZZ_SECONDS) || exit 1; done

CRASHES := tests/crash tests/properties/test_power_loss.py tests/properties/test_synced_trees.py
crash: setup  ## kill a broker 200 times under load, lose power 10,000 times; what it confirmed must be there
	LASTVALUE_KILLS=200 LASTVALUE_CUTS=10000 $(BIN)/python -m pytest --timeout=7200 $(CRASHES) \
		tests/properties/test_landed_trees.py $(PYTEST)

# Without those that need the packages of the pipeline.
crash-compiled: $(COMPILED)/.ready  ## the same on the compiled wheel, and its protocols at once against the model
	LASTVALUE_KILLS=200 LASTVALUE_CUTS=10000 LASTVALUE_EXAMPLES=2000 $(COMPILED)/bin/python -m pytest \
		--timeout=7200 --run wheel $(CRASHES) tests/unit/store tests/properties/test_two_protocols.py $(PYTEST)

simulate: setup  ## the whole system in one simulated world: SEED=7, SEEDS=0:10000, or HOURS=2 of random ones
	PYTHONHASHSEED=0 PYTHONPATH=tests/properties:tests/dialogue $(BIN)/python tests/simulation/simulate.py \
		$(if $(SEED),--seed $(SEED),$(if $(SEEDS),--seeds $(SEEDS),--hours $(or $(HOURS),1)))

cluster-demo: setup  ## three servers of a replicated log on loopback, and three brokers over them
	$(BIN)/python packaging/log_servers.py $(BIN)/python packaging/cluster_brokers.py $(BIN)/lastvalue {log} $(DEMO)

cluster-faults: setup  ## harm brokers, servers and the network of a cluster 60 times under load (FAULTS=200)
	LASTVALUE_LOG_FAULTS=$(or $(FAULTS),60) $(BIN)/python -m pytest -s -n 0 --timeout=7200 tests/crash/test_log_faults.py $(PYTEST)

# Without the checks of each queue that a turn has changed, which users' brokers do not make.
abuse: $(COMPILED)/.ready  ## every attack for ten seconds on the compiled wheel; what others wait and memory
	LASTVALUE_CHECKS=0 LASTVALUE_ABUSE_S=$(or $(ABUSE_S),10) $(COMPILED)/bin/python -m pytest -s -n 0 --timeout=3600 tests/interop/test_budgets.py $(PYTEST)

crowds: setup  ## 2,000 connections, 10,000 links, storms and abuse; memory and what others wait
	LASTVALUE_CONNECTIONS=2000 LASTVALUE_LINKS=10000 $(BIN)/python -m pytest -s --timeout=900 tests/interop/test_crowds.py $(PYTEST)

suites: setup  ## run the test suites that foreign clients bring, and write the table of what passed
	for each in python_clients go_clients rust_clients qpid_python joram_jms paho_mqtt mosquitto; do $(BIN)/python tests/suites/$$each.py --write; done

soak: setup  ## mixed clients for half an hour (SOAK_S=1800); memory and descriptors as after the warm-up
	LASTVALUE_SOAK_S=$(SOAK_S) $(BIN)/python -m pytest -s tests/interop/test_soak.py $(PYTEST)

clients: setup  ## run what shows the clients' capabilities, and write the table in docs/clients
	$(BIN)/python tests/interop/capabilities.py --write

parity: setup  ## live = restored = as_of on Spark = retained, over hundreds of queues' lives
	LASTVALUE_EXAMPLES=$(or $(LIVES),300) $(BIN)/python -m pytest tests/spark/test_parity.py \
		tests/spark/test_retained.py tests/properties/test_histories.py --timeout=36000 $(PYTEST)

spark-matrix: setup  ## a short form of the Spark tests with PySpark 4.0 to 4.3 (VERSION=4.2); downloads 450 MB each
	$(BIN)/python packaging/spark_matrix.py $(VERSION) $(PYTEST)

once: setup  ## a pipeline of a million updates whose driver, workers and broker are killed 50 times
	LASTVALUE_ONCE_KILLS=$(or $(KILLS),50) LASTVALUE_ONCE_ROWS=$(or $(ROWS),1000000) \
		$(BIN)/python -m pytest tests/spark/test_once_under_kills.py --timeout=36000 $(PYTEST)

docs: setup  ## write the tables of the docs that follow from declarations: settings, options of queues
	$(BIN)/python tests/architecture/reference_tables.py

release-check: setup  ## what the release workflow does, without containers: build, check, install, use
	$(BIN)/python packaging/release_check.py

site: setup  ## the website of the documentation, into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

check: setup  ## lint, types, import contracts, the website
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --site-dir .cache/site

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(COMPILED)/.ready  ## measure: ratios against references in the same run
	$(BIN)/python bench/run.py $(BENCH)

bench-peers: $(COMPILED)/.ready  ## the same loads on this broker and on what is on PATH of Redis, NATS, Mosquitto, RabbitMQ
	$(BIN)/python bench/peers.py --server $(COMPILED)/bin/lastvalue $(BENCH)
	$(BIN)/python bench/alone.py --server $(COMPILED)/bin/lastvalue

bench-guard: $(COMPILED)/.ready  ## fail where a message costs over 5 % more than in the commit BASE (main)
	$(BIN)/python bench/guard.py --base $(or $(BASE),main) $(BENCH)

clean:
	rm -rf $(VENV) $(COMPILED) $(TESTED) build dist .cache/compiled .mypy_cache .ruff_cache .pytest_cache .hypothesis
