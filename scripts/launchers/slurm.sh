#!/bin/bash
# Runs a command in a temporary Slurm cluster of three nodes on this machine.
#
#   scripts/launchers/slurm.sh FOLDER COMMAND...
#
# It needs no system daemon, account or configuration: it uses its own state, logs and ports, and trusts every client
# that reaches its loopback ports (auth/none). Exits with the status of the command.
set -euo pipefail
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
nodes=3
user=$(id -un)
host=$(hostname -s)

# Free ports for the controller and each node.
ports=($(python3 - <<'PYTHON'
import socket
sockets = [socket.socket() for _ in range(4)]
for one in sockets:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))
PYTHON
))

export SLURM_CONF=$folder/slurm.conf
{
    cat <<CONF
ClusterName=linejudge
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
AuthType=auth/none
CredType=cred/none
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/linear
SchedulerParameters=sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
CONF
    for number in $(seq $nodes); do
        echo "NodeName=n$number NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[$number]} CPUs=1"
    done
    echo "PartitionName=all Nodes=n[1-$nodes] Default=YES MaxTime=INFINITE State=UP"
} >"$SLURM_CONF"
mkdir -p "$folder/state"

started=()
stop() {
    for one in "${started[@]}"; do kill "$one" 2>/dev/null || true; done
    # SIGTERM may be blocked, because signal masks are inherited; fall back to SIGKILL.
    for _ in $(seq 20); do
        kill -0 "${started[@]}" 2>/dev/null || break
        sleep 0.1
    done
    for one in "${started[@]}"; do kill -KILL "$one" 2>/dev/null || true; done
    wait "${started[@]}" 2>/dev/null || true
}
trap stop EXIT

slurmctld -D >"$folder/slurmctld.out" 2>&1 &
started+=($!)
for number in $(seq $nodes); do
    mkdir -p "$folder/spool.n$number"
    slurmd -D -N "n$number" >"$folder/slurmd.n$number.out" 2>&1 &
    started+=($!)
done

# Nodes register within seconds; allow a minute on a busy machine.
for _ in $(seq 600); do
    idle=$(sinfo -h -o %D -t idle 2>/dev/null || true)
    if [ "${idle:-0}" = "$nodes" ]; then break; fi
    sleep 0.1
done
if [ "${idle:-0}" != "$nodes" ]; then
    echo "the Slurm nodes did not start; see $folder" >&2
    tail -n 5 "$folder"/*.out "$folder"/*.log >&2 || true
    exit 69
fi

status=0
"$@" || status=$?
exit "$status"
