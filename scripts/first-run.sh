#!/bin/bash
# Runs the livechat scenarios against the reference server; called by `make run`. The first build leaves
# out TLS, debug information and optimisation, which halves the build time. A program from `make build`
# is used as is.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(swift build --show-bin-path)
if [ -x "$bin/linejudge" ]; then
    make --no-print-directory build
    note=
else
    quick=(--product linejudge --disable-default-traits --disable-index-store -Xswiftc -gnone -Xswiftc -Onone --scratch-path .build/first-run)
    swift build "${quick[@]}"
    bin=$(swift build "${quick[@]}" --show-bin-path)
    note=' It has no TLS; `make build` builds all of it.'
fi

mkdir -p .build/reports
"$bin/linejudge" run Scenarios/livechat --tag '!slow' \
    --report html=.build/reports/livechat.html --report junit=.build/reports/livechat.xml
cat <<END

The report is .build/reports/livechat.html, the program $bin/linejudge.$note
Next: linejudge check --dialect irc --server irc://HOST:PORT, or docs/tutorials/test-your-server.md
END
