# Targets for developers and CI. Each installs its dependencies.
# Live capture is built where libpcap-dev is installed; `make setup` installs it. Other flags would
# rebuild everything, so all debug builds use these.
SWIFT_FLAGS = --explicit-target-dependency-import-check error \
    $(shell scripts/need-libpcap.sh 2>/dev/null && echo --traits default,Capture)
BIN = $(shell swift build --show-bin-path)
SOURCES := Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

.PHONY: run dist test-dist test test-asan test-tsan test-allocations fuzz interrupt inject segments setup build lint format man docs reference bench bench-decode bench-load bench-operators bench-million bench-compare bench-live bench-server samples check check-repeat findings open-questions clean

# Runs the livechat scenarios against the reference server and writes a report. Needs only Swift;
# the first build takes a few minutes.
run:
	@scripts/first-run.sh

# Builds a release in .build/dist-out: archive, Debian package and OCI image. Takes 20 minutes of
# CPU time.
dist:
	@packaging/dist.sh

# Installs the packages from `make dist` in fresh Debian systems and runs them; needs root.
test-dist:
	@packaging/test.sh

# All tests, including those against real servers and, with libpcap, of live capture. The parallelism
# is limited so that tests with servers get CPU time within their timeouts.
test: setup
	@scripts/need-libpcap.sh
	scripts/test.sh $(SWIFT_FLAGS) --experimental-maximum-parallelization-width 8

# The tests with a sanitizer, each in a build of its own: memory errors, and data races. The tests of
# commands run the sanitized program. Each takes more than an hour.
test-asan test-tsan: export SWIFT_BACKTRACE = enable=no
test-asan test-tsan: export SANITIZED = 1
test-asan: export ASAN_OPTIONS = detect_leaks=0:suppressions=$(CURDIR)/Tests/AddressSanitizer/suppressions.txt
test-asan: setup
	scripts/test.sh $(SWIFT_FLAGS) --sanitize address --scratch-path .build/asan \
	    --experimental-maximum-parallelization-width 8
test-tsan: export TSAN_OPTIONS = halt_on_error=1 suppressions=$(CURDIR)/Tests/ThreadSanitizer/suppressions.txt
test-tsan: setup
	mkdir -p .build/tsan
	clang -O1 -fPIC -shared -o .build/tsan/SwiftMutex.so Tests/ThreadSanitizer/SwiftMutex.c
	LD_PRELOAD=$(CURDIR)/.build/tsan/SwiftMutex.so scripts/test.sh $(SWIFT_FLAGS) --sanitize thread \
	    --scratch-path .build/tsan --experimental-maximum-parallelization-width 8

# Installs the servers and tools that the tests use; fast if they are already installed.
setup:
	@scripts/setup.sh

# Tests that the codec does not allocate per message; requires an optimised build.
test-allocations:
	scripts/test.sh -c release -Xswiftc -enable-testing --package-path Tests/Allocations \
	    --scratch-path .build/allocations

# Fuzzes each parser of untrusted input for MINUTES minutes; the first build takes ten minutes.
MINUTES = 1
fuzz:
	@scripts/fuzz.sh $(MINUTES)

# Ends commands at random moments, COUNT times each, and examines what they leave behind.
COUNT = 200
interrupt: build
	@scripts/interrupt.py $(COUNT)

# Makes single calls of C library functions fail, POSITIONS calls of each, and examines what commands do.
POSITIONS = 6
inject: build
	@scripts/inject.py -n $(POSITIONS)

# Runs the IRC scenarios against ngIRCd with each segmentation; about three minutes. ngIRCd stops
# answering when a line that is too long arrives in several writes, so two scenarios run only once.
SEGMENTS_RUN = $(BIN)/linejudge run Scenarios/irc --software ngircd@26.1 --quiet \
    --exec 'scripts/servers/ngircd.sh {{port}} {{dir}}'
segments: setup build
	$(SEGMENTS_RUN) --segment all --tag '!one-write'
	$(SEGMENTS_RUN) --tag one-write

build:
	swift build $(SWIFT_FLAGS)

lint:
	swift format lint --strict --parallel --recursive $(SOURCES)

format:
	swift format --in-place --parallel --recursive $(SOURCES)

# Generates manual pages in .build/man; `man -l .build/man/linejudge-run.1` shows one.
man: build
	@$(BIN)/linejudge generate-docs --man .build/man

# Builds DocC archives of the libraries in .build/documentation. To read them, run
# `python3 -m http.server --directory .build/documentation` and open
# http://localhost:8000/ChatClient/documentation/chatclient.
docs: build
	@scripts/docs.sh

# Regenerates docs/command-line.md from the help texts, and the JSON Schemas of dialect files and
# plans from the tables of their readers.
reference: build
	@$(BIN)/linejudge generate-docs --markdown docs/command-line.md --schemas docs

# Benchmarks the codec, the message log and multicast, as ratios to a reference in the same run.
bench:
	@Benchmarks/run.sh

# Compares `decode` with tcpflow and with a C program that only prints lines; builds a release first.
bench-decode:
	@Benchmarks/decode.sh

# Measures `load`: CPU time per exchange compared with a generator in C, memory per idle operator,
# deliveries tracked per CPU second, and whether reports show a frozen server.
bench-load:
	@Benchmarks/load.sh

# Connects 10,000 operators within 10 s to the reference server, ngircd and InspIRCd; about two minutes.
bench-operators:
	@Benchmarks/operators.sh

# Logs a million operators in to a server in C and verifies every delivery; about a quarter of an hour and 11 GiB.
# Builds a release first.
bench-million:
	@python3 Benchmarks/million.py

# Measures how often `load --against` gives the right verdict, for the same server and for one that is
# a fifth slower; about half an hour. Builds a release first.
bench-compare:
	@Benchmarks/compare.sh

# Measures what the page of `load --live` costs the generator, in a debug build.
bench-live: build
	@python3 Benchmarks/live.py $(BIN)/linejudge

# Measures the reference server: CPU time compared with a server in C, memory per idle client, and
# resources left behind by abuse; about ten minutes.
bench-server:
	@Benchmarks/server.sh

# Runs `check` against each real server twenty times with all cores busy; no check may fail. Takes more
# than an hour.
check-repeat: setup build
	@scripts/check-repeat.sh

# Demonstrates each finding of docs/findings.md over plain sockets and regenerates its tables; about ten minutes.
findings: setup
	@scripts/findings.py --write

# Checks eight IRC servers without profiles and writes docs/irc-open-questions.md; about 20 minutes.
open-questions: setup build
	@scripts/open-questions.py

# Generates a sample of each load report in Reports/load; builds a release first.
samples:
	@scripts/samples.sh

# Runs what CI runs, with one line of output per step.
check:
	@scripts/check.sh

clean:
	swift package clean
