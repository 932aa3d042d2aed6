# SPDX-License-Identifier: Apache-2.0
# Everything that a person or CI runs, from a fresh Debian 12 on. `make help` lists the targets.

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60

# The Debian packages that building and testing need. .ci/check-deps compares this list with the CMake files.
PACKAGES := g++ cmake ninja-build ccache pkgconf libtbb-dev libjemalloc-dev nlohmann-json3-dev libyaml-dev libboost-graph-dev \
  libexpected-dev libcli11-dev zlib1g-dev libcaf-dev libssl-dev libspdlog-dev libgtest-dev libgmock-dev libbenchmark-dev
# The packages that `format`, `lint`, `sanitize`, `soak` and `tsan` need besides.
DEV_PACKAGES := git clang clang-format clang-tidy libclang-rt-14-dev shellcheck

.DEFAULT_GOAL := help
.PHONY: help deps dev-deps demo test bench format lint sanitize soak tsan clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile
	@echo "Variables: JOBS=$(JOBS) (parallel jobs), FUZZ_SECONDS=$(FUZZ_SECONDS) (each fuzz target of sanitize)"

deps: ## install the Debian packages that are missing (needs root only then)
	@.ci/install-packages $(PACKAGES)

dev-deps:
	@.ci/install-packages $(PACKAGES) $(DEV_PACKAGES)

demo: deps ## build the command and schedule the sample cluster of examples/gb200
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target tessera
	@examples/gb200/demo.sh build/release/app/tessera

test: deps ## build everything and run every test
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	@ctest --preset release --parallel $(JOBS)

bench: deps ## run the benchmarks; their figures go to build/bench/bench.json too
	cmake --preset bench
	cmake --build --preset bench --parallel $(JOBS) --target tessera_bench
	build/bench/bench/tessera_bench --benchmark_out=build/bench/bench.json --benchmark_out_format=json

format: dev-deps ## lay out the tracked C++ files as .clang-format says, and renew the includes by room in docs/architecture.md
	git ls-files -z -- '*.h' '*.cpp' | xargs -0 clang-format -i
	.ci/check-layout --write

lint: dev-deps ## check format, layout, dependencies, scripts and clang-tidy's list
	git ls-files -z -- '*.h' '*.cpp' | xargs -0 clang-format --dry-run -Werror
	.ci/check-layout
	.ci/check-deps "$(PACKAGES) $(DEV_PACKAGES)"
	.ci/check-scripts
	cmake --preset release
	.ci/tidy build/release $(JOBS)

sanitize: dev-deps ## run the tests and the fuzz targets under ASan and UBSan
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	ctest --preset asan --parallel $(JOBS)
	.ci/fuzz build/asan $(FUZZ_SECONDS) $(JOBS)

soak: dev-deps ## run what sanitize runs, with every seed of the long tests and ten times the fuzzing (hours)
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	TESSERA_SOAK=1 ctest --preset asan --parallel $(JOBS)
	.ci/fuzz build/asan $$((10 * $(FUZZ_SECONDS))) $(JOBS)

tsan: dev-deps ## run the tests of the engine under ThreadSanitizer; builds a CAF with ThreadSanitizer first
	.ci/tsan-caf build/tsan/caf $(JOBS)
	cmake --preset tsan
	cmake --build --preset tsan --parallel $(JOBS) --target core_tests actors_tests
	TSAN_OPTIONS="suppressions=$(CURDIR)/.ci/tsan-suppressions" build/tsan/tests/core_tests
	TSAN_OPTIONS="suppressions=$(CURDIR)/.ci/tsan-suppressions" build/tsan/tests/actors_tests

clean: ## remove every build folder
	rm -rf build
