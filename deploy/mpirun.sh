#!/bin/sh
# One load from several machines, started by Open MPI; the report is written on this one.
#
#   deploy/mpirun.sh SHARDS OPTIONS-OF-LOAD...
#   HOSTFILE=deploy/hosts.example deploy/mpirun.sh 3 --server irc://chat:6667 --operators 30000 --for 60s
#
# HOSTFILE     the machines; without it all shards run here
# RESULTS      a new or empty folder that all machines share (load-DATE-TIME)
# PROGRAM      linejudge, where it is installed on the machines
# LEAD         seconds until texts begin: operators connect meanwhile, so longer than --ramp (60)
# MPIRUN       mpirun and what it needs beside: "mpirun --allow-run-as-root"
set -eu

shards=${1:?how many shards? deploy/mpirun.sh 3 --server irc://chat:6667}
shift
program=${PROGRAM:-linejudge}
results=${RESULTS:-load-$(date +%Y%m%d-%H%M%S)}
mkdir -p "$results"
results=$(cd "$results" && pwd)
if ls "$results"/load-*.json >/dev/null 2>&1; then
    echo "there are results in $results already; name another folder with RESULTS" >&2
    exit 64
fi
start=$(date -u -d "+${LEAD:-60} seconds" +%Y-%m-%dT%H:%M:%SZ)

# Threads of a shard may use all cores of its machine: nothing is bound.
status=0
${MPIRUN:-mpirun} -n "$shards" ${HOSTFILE:+--hostfile "$HOSTFILE"} --map-by node --bind-to none \
    "$program" load --shard auto --start-at "$start" --quiet \
    --report "json=$results/load-{{shard}}.json" "$@" || status=$?

# What has been measured is reported, even if a shard is missing.
if ls "$results"/load-*.json >/dev/null 2>&1; then
    exec "$program" report "$results"/load-*.json --report "html=$results/load.html" \
        --report "pretty=-" --exit-code
fi
echo "no shard has written results to $results" >&2
exit "$status"
