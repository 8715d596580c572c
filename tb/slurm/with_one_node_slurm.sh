#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command beside a Slurm cluster of one node, this machine, that is there for it alone: munged, slurmctld and slurmd on the loopback
# interface, with everything they write in a scratch folder. Stops them by their pid files. Needs no root rights; packages slurm-wlm, munge.
# usage: with_one_node_slurm.sh COMMAND [ARGUMENT...]
set -euo pipefail
PATH=$PATH:/usr/sbin

for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "there is no $program: install the packages slurm-wlm and munge" >&2; exit 1; }
done

folder=$(mktemp -d "${TMPDIR:-/tmp}/slurm.XXXXXX")
user=$(id -un)

stop() {
  local pid_file pid
  for pid_file in slurmd slurmctld munged; do
    pid=$(cat "$folder/$pid_file.pid" 2>/dev/null) || continue
    kill "$pid" 2>/dev/null || continue
    for _ in $(seq 600); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  done
  rm -rf "$folder"
}
trap stop EXIT

free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)); (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

start_munge() {
  (umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
  munged --force --socket="$folder/munge.socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" --num-threads=1
}

write_configuration() {
  mkdir "$folder/state" "$folder/spool"
  cat >"$folder/slurm.conf" <<EOT
ClusterName=one
SlurmctldHost=localhost
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmUser=$user
SlurmdUser=$user
ReturnToService=2
MpiDefault=none
NodeName=localhost CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOT
}

start_slurm() {
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -f "$SLURM_CONF"
  slurmd -N localhost -f "$SLURM_CONF"
  for _ in $(seq 600); do
    [[ $(sinfo --noheader --format=%T 2>/dev/null) != idle ]] || return 0
    sleep 0.1
  done
  echo "Slurm has not come up:" >&2
  tail -n 20 "$folder"/*.log >&2
  return 1
}

start_munge
write_configuration
start_slurm
"$@"
