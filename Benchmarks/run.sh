#!/bin/sh
# Builds the benchmarks as a release and runs them: about 10 s of CPU. Exits with 1 if a message allocates.
set -e
cd "$(dirname "$0")"
swift build -c release -Xswiftc -cross-module-optimization --product CodecBench >&2
exec .build/release/CodecBench
