#!/bin/sh
# Builds the benchmarks as a release and runs them: about 15 s of CPU. Arguments choose parts: livechat, irc, commands. Exits with 1 if a message allocates.
set -e
cd "$(dirname "$0")"
swift build -c release -Xswiftc -cross-module-optimization --product CodecBench >&2
exec .build/release/CodecBench "$@"
