#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A sweep on a Slurm cluster of one node gives what it gives without one, also when tasks are lost on the way.
# usage: with_one_node_slurm.sh sweep_test.sh TCSIM SWEEP.json
set -euo pipefail
tcsim=$(realpath "$1")
sweep=$(realpath "$2")
folder=$(mktemp -d "${TMPDIR:-/tmp}/sweep.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# All that does not depend on the host.
contents() {
  sqlite3 "$1" "SELECT p.number, r.key, r.exit_status, r.message, r.statistics FROM points p JOIN runs r ON r.id = p.run ORDER BY p.number;
    SELECT r.key, m.metric, m.value FROM measurements m JOIN runs r ON r.id = m.run ORDER BY r.key, m.metric;
    SELECT * FROM axis_values ORDER BY point, axis"
}

left() { sqlite3 "$1" "SELECT count(*) FROM runs WHERE exit_status IS NULL OR exit_status > 1"; }

expect() {  # WHAT COMMAND...: what must be true
  local what=$1
  shift
  "$@" || { echo "failed: $what" >&2; exit 1; }
}

wait_for_tasks() { while [[ -n $(squeue --noheader) ]]; do sleep 0.5; done; }

"$tcsim" sweep "$sweep" --out here.sqlite >here.txt
contents here.sqlite >here.rows
expect "there are rows to compare" test -s here.rows
points=$(sqlite3 here.sqlite 'SELECT count(*) FROM points')
chunk=$(((points + 5) / 6))

# Half of the array is cancelled, as if its nodes were gone; what it has done is collected twice.
"$tcsim" sweep "$sweep" --out cluster.sqlite --slurm --chunk "$chunk" --sbatch=--hold >submitted.txt
job=$(sed -nE 's/^job ([0-9]+):.*/\1/p' submitted.txt)
tasks=$(sed -nE 's/.* in ([0-9]+) tasks?;.*/\1/p' submitted.txt)
for ((task = tasks / 2; task < tasks; ++task)); do scancel "${job}_$task"; done
scontrol release "$job"
wait_for_tasks
"$tcsim" sweep --collect cluster.sqlite >first.txt || true
lost=$(left cluster.sqlite)
expect "some runs are done and some are lost" test "$lost" -gt 0 -a "$lost" -lt "$(wc -l <here.rows)"
"$tcsim" sweep --collect cluster.sqlite >second.txt || true
expect "collecting again finds nothing new" grep -q ' 0 new runs from' second.txt

# What is lost is a resume.
"$tcsim" sweep "$sweep" --out cluster.sqlite --resume --slurm --chunk "$chunk" --wait >resumed.txt
expect "nothing is left" test "$(left cluster.sqlite)" -eq 0
contents cluster.sqlite >cluster.rows
expect "the same results" cmp here.rows cluster.rows

# A cluster that refuses the job leaves nothing behind.
if "$tcsim" sweep "$sweep" --out refused.sqlite --slurm --sbatch=--partition=nowhere >refused.txt 2>&1; then
  echo "failed: a partition that does not exist" >&2
  exit 1
fi
expect "the reason is told" grep -q 'sbatch refuses the job: .*partition' refused.txt
expect "no folder of the array" test ! -e refused.sqlite.slurm

echo "$points points: the same with Slurm; $lost of them lost and run again"
