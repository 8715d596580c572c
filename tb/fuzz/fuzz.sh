#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes what reads files and memory of users (docs/reliability.md): each target for some seconds, several at a time. New inputs that reach
# new code are kept under build/fuzz and tried first the next time; those in tb/fuzz/corpus stay as they are.
# Prints a line for each target and one for all; exit status 1 if anything was found.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() {
  cat <<'EOT'
usage: tb/fuzz/fuzz.sh [option...] [target...]

  --seconds N    for each target (5)
  --jobs N       targets at a time (all processors)
  --seed N       of the mutations (drawn at random)
  --work FOLDER  for new inputs, logs and findings (build/fuzz)
  --build FOLDER where the targets have been built (build/asan: cmake --preset asan && cmake --build --preset asan --target tc_fuzz)
EOT
}

seconds=5 jobs=$(nproc) seed=$((RANDOM * 32768 + RANDOM + 1)) work=build/fuzz build=build/asan targets=()
while (($#)); do
  case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --work) work=$2; shift 2 ;;
    --build) build=$2; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) targets+=("$1"); shift ;;
  esac
done
if ((${#targets[@]} == 0)); then
  for folder in tb/fuzz/corpus/*/; do targets+=("$(basename "$folder")"); done
fi
for target in "${targets[@]}"; do
  [[ -x $build/tb/fuzz/tc_fuzz_$target ]] || { echo "there is no target $build/tb/fuzz/tc_fuzz_$target" >&2; exit 2; }
done

export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
if [[ -z ${TMPDIR-} && -w /dev/shm ]]; then export TMPDIR=/dev/shm; fi   # many short temporary files

# What is unbounded, or takes long, is a finding.
limits=(-timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=300)
declare -A longest=([commands]=4096 [descriptors]=64 [instructions]=1024)   # bytes of an input

# fuzz TARGET: writes its log, of which summary() makes a line.
fuzz() {
  local target=$1 folder=$work/$1 words=()
  mkdir -p "$folder/corpus" "$folder/findings"
  [[ ! -e tb/fuzz/$target.dict ]] || words=("-dict=tb/fuzz/$target.dict")
  "$build/tb/fuzz/tc_fuzz_$target" "${limits[@]}" -max_len="${longest[$target]:-16384}" "${words[@]}" -max_total_time="$seconds" \
    -seed="$seed" -print_final_stats=1 -reload=0 -artifact_prefix="$folder/findings/" "$folder/corpus" "tb/fuzz/corpus/$target" \
    >"$folder/log" 2>&1
}

stat_of() { sed -nE "s/^stat::$2: *([0-9]+).*/\1/p" "$work/$1/log"; }

# summary TARGET FINDINGS
summary() {
  local target=$1 last executions
  last=$(grep -E '^#[0-9]+.* cov: ' "$work/$target/log" | tail -n 1 || true)
  executions=$(stat_of "$target" number_of_executed_units)
  printf '%-14s %9s executions %7s/s  coverage %6s  corpus %10s  %s findings\n' "$target" "${executions:-0}" \
    "$(stat_of "$target" average_exec_per_sec)" "$(sed -nE 's/.* cov: ([0-9]+).*/\1/p' <<<"$last")" \
    "$(sed -nE 's/.* corp: ([^ ]+).*/\1/p' <<<"$last")" "$2"
}

running=() executions=0 findings=0
# finish: waits for the oldest of the running targets, and tells what came of it.
finish() {
  local target=${running[0]% *} process=${running[0]#* } found=0 executed file
  while [[ -t 1 ]] && kill -0 "$process" 2>/dev/null; do
    printf '%s: at %s s\r' "${running[*]% *}" "$SECONDS"
    sleep 1
  done
  [[ ! -t 1 ]] || printf '\r\033[K'
  wait "$process" || found=1
  running=("${running[@]:1}")
  summary "$target" "$found"
  executed=$(stat_of "$target" number_of_executed_units)
  executions=$((executions + ${executed:-0}))
  findings=$((findings + found))
  ((found)) || return 0
  file=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$work/$target/log" | tail -n 1)
  echo "  $(grep -m 1 -E 'violated:|ERROR:|runtime error:|terminate called' "$work/$target/log" || tail -n 1 "$work/$target/log")"
  echo "  repeat: $build/tb/fuzz/tc_fuzz_$target ${limits[*]} ${file:-tb/fuzz/corpus/$target/*}"
}

trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM
for target in "${targets[@]}"; do
  while ((${#running[@]} >= jobs)); do finish; done
  fuzz "$target" &
  running+=("$target $!")
done
while ((${#running[@]})); do finish; done
printf 'fuzz: %s targets, seed %s, %s executions, %s findings\n' "${#targets[@]}" "$seed" "$executions" "$findings"
((findings == 0))
