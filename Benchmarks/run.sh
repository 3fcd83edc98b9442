#!/bin/sh
# Builds the benchmarks in release mode and runs them: about 25 s of CPU time. Exits with 1 if decoding a message
# allocates. Arguments select parts: livechat, irc, jsonl, commands (codec); log, multicast (chat model).
set -e
cd "$(dirname "$0")"
codec= model=
[ $# -gt 0 ] || set -- livechat irc jsonl commands log multicast
for part in "$@"; do
    case $part in
        log | multicast) model="$model $part" ;;
        *) codec="$codec $part" ;;
    esac
done
run() {
    name=$1
    shift
    [ $# -gt 0 ] || return 0
    swift build -c release -Xswiftc -cross-module-optimization --product "$name" >&2
    .build/release/"$name" "$@"
}
run CodecBench $codec
run ModelBench $model
