#!/bin/sh
# Runs one load test from several machines with Open MPI and writes the report on this one.
#
#   deploy/mpirun.sh SHARDS OPTIONS-OF-LOAD...
#   HOSTFILE=deploy/hosts.example deploy/mpirun.sh 3 --server irc://chat:6667 --operators 30000 --for 60s
#
# HOSTFILE     the machines; default: all shards run on this one
# RESULTS      a new or empty directory shared by all machines (load-DATE-TIME)
# PROGRAM      path of linejudge on the machines
# LEAD         seconds until sending starts; must exceed --ramp, because operators connect meanwhile (60)
# MPIRUN       mpirun with additional options: "mpirun --allow-run-as-root"
set -eu

shards=${1:?usage: deploy/mpirun.sh SHARDS OPTIONS-OF-LOAD..., such as deploy/mpirun.sh 3 --server irc://chat:6667}
shift
program=${PROGRAM:-linejudge}
results=${RESULTS:-load-$(date +%Y%m%d-%H%M%S)}
mkdir -p "$results"
results=$(cd "$results" && pwd)
if ls "$results"/load-*.json >/dev/null 2>&1; then
    echo "$results already contains results; set RESULTS to another directory" >&2
    exit 64
fi
start=$(date -u -d "+${LEAD:-60} seconds" +%Y-%m-%dT%H:%M:%SZ)

# Do not bind threads: a shard may use all cores of its machine.
status=0
${MPIRUN:-mpirun} -n "$shards" ${HOSTFILE:+--hostfile "$HOSTFILE"} --map-by node --bind-to none \
    "$program" load --shard auto --start-at "$start" --quiet \
    --report "json=$results/load-{{shard}}.json" "$@" || status=$?

# Report what was measured, even if a shard is missing.
if ls "$results"/load-*.json >/dev/null 2>&1; then
    exec "$program" report "$results"/load-*.json --report "html=$results/load.html" \
        --report "pretty=-" --exit-code
fi
echo "no shard wrote results to $results" >&2
exit "$status"
