# What people and CI do here. Each target installs what it needs.
SWIFT_FLAGS := --explicit-target-dependency-import-check error
BIN = $(shell swift build --show-bin-path)
SOURCES := Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

.PHONY: run test test-allocations test-capture setup build lint format man reference bench bench-decode bench-load bench-operators bench-server samples check check-repeat clean

# Replays the shipped scenarios against the embedded server and writes a report.
run: setup build
	@mkdir -p .build/reports
	@$(BIN)/linejudge run Scenarios/livechat --report html=.build/reports/livechat.html \
	    --report junit=.build/reports/livechat.xml
	@echo "The report: .build/reports/livechat.html"

# Everything, real servers included. Few at a time: a test that plays against a server wants a turn
# on the processor within its timeouts, however many tests there are.
test: setup
	swift test $(SWIFT_FLAGS) --experimental-maximum-parallelization-width 4

# Installs the servers and tools that the tests use; quick where they are already there.
setup:
	@scripts/setup.sh

# That the codec allocates nothing for a message, which only holds where the compiler optimises.
test-allocations:
	swift test $(SWIFT_FLAGS) -c release -Xswiftc -enable-testing --package-path Tests/Allocations \
	    --scratch-path .build/allocations

# Live traffic and filters with libpcap: the trait compiles everything anew, in a folder of its own.
test-capture: setup
	@scripts/need-libpcap.sh
	swift test $(SWIFT_FLAGS) --traits Capture --scratch-path .build/capture \
	    --filter 'LiveCaptureTests|DecodeTests'

build:
	swift build $(SWIFT_FLAGS)

lint:
	swift format lint --strict --parallel --recursive $(SOURCES)

format:
	swift format --in-place --parallel --recursive $(SOURCES)

# Manual pages, in .build/man; `man -l .build/man/linejudge-run.1` shows one.
man: build
	@$(BIN)/linejudge generate-docs --man .build/man

# docs/command-line.md, from the help texts.
reference: build
	@$(BIN)/linejudge generate-docs --markdown docs/command-line.md

# Codec, message log and multicast, as ratios to a reference in the same run.
bench:
	@Benchmarks/run.sh

# `decode` beside a C reader that only prints lines, and tcpflow; builds a release first.
bench-decode:
	@Benchmarks/decode.sh

# What an exchange costs the fleet of `load` beside a generator in C, what an idle operator takes, how many deliveries
# are followed for each CPU second, and whether a frozen server shows.
bench-load:
	@Benchmarks/load.sh

# 10,000 operators within 10 s against the reference server, ngircd and InspIRCd; about two minutes.
bench-operators:
	@Benchmarks/operators.sh

# What the reference server costs beside one in C, what an idle operator needs, and what abuse leaves
# behind; about ten minutes.
bench-server:
	@Benchmarks/server.sh

# `check` against the real servers, twenty times each with the cores kept busy: no verdict may become a
# failure. An hour and more.
check-repeat: setup build
	@scripts/check-repeat.sh

# One of each report of a load, in Reports/load; builds a release first.
samples:
	@scripts/samples.sh

# What CI runs, one line a check.
check:
	@scripts/check.sh

clean:
	swift package clean
