# Bellwire: `make run` and `make test` do all set-up themselves on a Debian 12 machine that has the Swift toolchain.

SHELL := /bin/sh
.DEFAULT_GOAL := build
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT_FLAGS ?=

# One configuration for everything, so that nothing is built twice. `swift test` would by itself add -enable-testing,
# and rebuild the package each time it alternates with `swift build`.
CONFIGURATION := -c release $(SWIFT_FLAGS)
RUN_TESTS = $(SWIFT) test $(CONFIGURATION) --disable-testable-imports --skip-build
SWIFT = $(shell .ci/find-swift)
BIN := .build/release
EXECUTABLES := bellwire bellwire-directory bellwire-calls bellwire-records bellwire-voicemail bellwire-notifications
# Swift that is written by hand.
SOURCES = Package.swift $(shell find Services Shared Tests -name '*.swift' -not -path '*/Generated/*')

.PHONY: help bootstrap proto build run test soak bench lint format check generated golden clean install

help: ## What there is to make
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 12

bootstrap: ## Install the Debian packages that are missing
	@.ci/bootstrap

proto: bootstrap ## Generate Shared/Wire from Shared/Protos
	PATH="$(dir $(SWIFT)):$$PATH" SWIFT_BUILD_FLAGS="$(SWIFT_FLAGS)" Shared/RPCGenerator/generate.sh

build: bootstrap ## Build all executables into .build/release
	$(SWIFT) build $(CONFIGURATION)

run: build ## Run the whole system here, with a demo call (DEMO=0: without)
	@exec $(BIN)/bellwire up

# Tests that keep time by themselves, with SIP's timers or with audio.
TIMED := ^(SIPTests|VoicemailTests)\.

# Whole systems that are stopped, killed and moved all the time: the fabric alone, and calls on it.
FABRIC_FAULTS := ^Integration\.(EventProof|Ownership|StoppedDatabase)
CALL_FAULTS := ^Integration\.(Handover|Fencing|RollingRestart|LoneRestart|Takeover)

# What keeps time does not run beside the rest, which keeps the machine busy; the whole-system tests, which play audio in real
# time, come last.
test: bootstrap ## The test tier: unit and integration tests
	$(SWIFT) build $(CONFIGURATION) --build-tests
	$(RUN_TESTS) --skip '^Integration\.' --skip '$(TIMED)'
	$(RUN_TESTS) --filter '$(TIMED)'
	$(RUN_TESTS) --filter '$(FABRIC_FAULTS)'
	$(RUN_TESTS) --filter '$(CALL_FAULTS)'
	$(RUN_TESTS) --filter '^Integration\.' --skip '$(FABRIC_FAULTS)' --skip '$(CALL_FAULTS)'

soak: bootstrap ## The long tests, of half an hour (BELLWIRE_SOAK_SECONDS: another time)
	$(SWIFT) build $(CONFIGURATION) --build-tests
	TIER=soak $(RUN_TESTS) --filter Soak

bench: bootstrap ## The measurements, each beside its peer in the same run
	Tests/Benchmarks/Peers/prepare.sh .run/bench
	BELLWIRE_BENCHMARKS=1 $(SWIFT) build $(CONFIGURATION) --product bellwire-bench
	python3 Tests/Benchmarks/run.py .run/bench $(BIN)/bellwire-bench

lint: bootstrap ## Style, strictly
	@$(SWIFT) format lint --strict --parallel $(SOURCES)

format: bootstrap ## Put every source file into the checked style
	@$(SWIFT) format --in-place --parallel $(SOURCES)

check: lint generated ## Style, and generated code that is what the protocols say

generated: bootstrap ## Compare the generated code with what the protocols say
	$(SWIFT) build $(CONFIGURATION) --product protoc-gen-bellwire
	BELLWIRE_GENERATOR="$(CURDIR)/$(BIN)/protoc-gen-bellwire" Shared/RPCGenerator/generate.sh --check

golden: bootstrap ## Compare the tests' golden bytes with protobuf's own Python library (from PyPI, into .build)
	[ -x .build/golden/bin/python ] || python3 -m venv .build/golden
	.build/golden/bin/pip install -q --disable-pip-version-check 'protobuf==4.25.*'
	.build/golden/bin/python Tests/Fixtures/Wire/golden.py --check Shared/Protos Tests/Fixtures/Wire/release-1.txt

install: build ## Install under $(DESTDIR)$(PREFIX), where the units of deploy/systemd expect it
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" SWIFT="$(SWIFT)" .ci/install $(BIN) $(EXECUTABLES)

clean: ## Remove what was built; the state of a run, under .run, stays
	rm -rf .build
