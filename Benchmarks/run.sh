#!/bin/sh
# Builds the benchmarks as a release and runs them. Usage: Benchmarks/run.sh
set -e
cd "$(dirname "$0")"
swift build -c release -Xswiftc -cross-module-optimization --product CodecBench >&2
exec .build/release/CodecBench
