#!/bin/bash
# check-repeat.sh [-n REPEATS] [-s FIRST_SEED] [-o RULE] [-j] [SERVER]...
#
# Runs `linejudge check` against real servers repeatedly, with a new seed each time and all cores kept busy,
# to prove that checks raise no false alarms. Exits with 1 if a check failed.
#
# SERVER   ngircd, inspircd, ircd-hybrid, ircd-irc2, ircd-ircu, miniircd, irc or twisted; nats-server, memcached,
#          beanstalkd, redis, aiosmtpd, dovecot-pop3, inn, coilmq, tinymux or jsonl (default: all)
# -o RULE  run only this rule; repeatable
# -j       check the servers in parallel
set -euo pipefail
cd "$(dirname "$0")/.."
repeats=20 first=1 together= only=()
while getopts n:s:o:j option; do
    case $option in
    n) repeats=$OPTARG ;;
    s) first=$OPTARG ;;
    o) only+=(--only "$OPTARG") ;;
    j) together=yes ;;
    *) echo "usage: $0 [-n REPEATS] [-s FIRST_SEED] [-o RULE] [-j] [SERVER]..." >&2; exit 64 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- ngircd inspircd ircd-hybrid ircd-irc2 ircd-ircu miniircd irc twisted nats-server memcached \
    beanstalkd redis aiosmtpd dovecot-pop3 inn coilmq tinymux jsonl
linejudge=${LINEJUDGE:-.build/debug/linejudge}
folder=$(mktemp -d)

burners=()
for _ in $(seq "$(nproc)"); do
    sh -c 'while :; do :; done' &
    burners+=($!)
done
trap 'kill "${burners[@]}" 2>/dev/null; rm -rf "$folder"' EXIT

# SERVER -> DIALECT SOFTWARE
known() {
    case $1 in
    ngircd) echo irc+ngircd ngircd@26.1 ;;
    inspircd) echo irc+inspircd inspircd@3.15.0 ;;
    ircd-hybrid) echo irc+ircd-hybrid ircd-hybrid@8.2.43 ;;
    nats-server) echo nats nats-server@2.9.10 ;;
    ircd-irc2) echo irc+ircd-irc2 ircd-irc2@2.11.2 ;;
    ircd-ircu) echo irc+ircd-ircu ircd-ircu@2.10.12 ;;
    miniircd) echo irc+miniircd miniircd@2.3 ;;
    irc) echo irc+python-irc irc@20.5 ;;
    twisted) echo irc+twisted twisted@26.10 ;;
    memcached | beanstalkd | redis | jsonl) echo "$1" "$1" ;;
    aiosmtpd) echo smtp aiosmtpd@1.4 ;;
    dovecot-pop3) echo pop3 dovecot@2.3 ;;
    inn) echo nntp inn@2.7 ;;
    coilmq) echo stomp+coilmq coilmq@1.1.0 ;;
    tinymux) echo mud+tinymux tinymux@2.12.0.10 ;;
    *) echo "$0: unknown server $1" >&2; exit 64 ;;
    esac
}

repeat() {
    local dialect software command="scripts/servers/$1.sh {{port}} {{dir}}" more=()
    # Each connection keeps a thread of the server of irc busy.
    case $1 in
    twisted) more=(--var password=any) ;;
    irc) more=(--jobs 2) ;;
    dovecot-pop3 | tinymux) more=(--var password=sesame) ;;
    jsonl) command="python3 Examples/jsonl/server.py {{port}}" ;;
    esac
    read -r dialect software <<<"$(known "$1")"
    for seed in $(seq "$first" $((first + repeats - 1))); do
        "$linejudge" check --dialect "$dialect" --software "$software" --seed "$seed" --quiet "${only[@]}" "${more[@]}" \
            --exec "$command" --report "json=$folder/$1.$seed.json" \
            >/dev/null 2>&1 || true
    done
}

for server in "$@"; do
    if [ -n "$together" ]; then
        repeat "$server" &
        runs+=($!)
    else
        repeat "$server"
    fi
done
[ -z "$together" ] || wait "${runs[@]}"

python3 - "$folder" "$@" <<'END'
import collections, json, pathlib, statistics, sys

folder, failed = pathlib.Path(sys.argv[1]), False
for server in sys.argv[2:]:
    runs = [json.loads(path.read_text()) for path in sorted(folder.glob(f"{server}.*.json"))]
    if not runs:
        print(f"{server}: no run completed")
        failed = True
        continue
    seconds = [run["durationNanoseconds"] / 1e9 for run in runs]
    print(f"{server}: {len(runs)} runs of {len(runs[0]['checks'])} checks, "
          f"{min(seconds):.0f} to {max(seconds):.0f} s, median {statistics.median(seconds):.0f} s")
    seen = collections.defaultdict(collections.Counter)
    for run in runs:
        for check in run["checks"]:
            seen[check["id"]][check["verdict"]] += 1
    for name, verdicts in sorted(seen.items()):
        failed |= verdicts["failed"] > 0
        if len(verdicts) > 1 or verdicts.keys() & {"failed", "flaky", "inconclusive", "delayed"}:
            words = ", ".join(f"{count} {word}" for word, count in verdicts.most_common())
            print(f"  {name}: {words}")
            for run in runs:
                for check in run["checks"]:
                    if check["id"] == name and check["verdict"] not in ("passed", "observed"):
                        print(f"    seed {run['seed']}: {check.get('reason', '')[:160]}")
    steady = sum(len(verdicts) == 1 for verdicts in seen.values())
    print(f"  {steady} other checks had the same verdict every time" if steady < len(seen) else "  all checks had the same verdict every time")
sys.exit(failed)
END
