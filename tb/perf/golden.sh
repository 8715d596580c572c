#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether a change of the code changes what runs say: bits, cycles, every counter, every recording.
#
#     tb/perf/golden.sh write build/release/bin/tcsim before.txt      a line for each of some 600 runs; minutes
#     tb/perf/golden.sh compare before.txt after.txt                  exit status 1 if they differ; says where
#     tb/perf/golden.sh list                                          the runs; `folder FOLDER` makes one in which they find their traces
#
# A line is the run, its exit status, cycles, instructions and a hash of all that it wrote but host times. TCSIM_SHARED names the folder of
# further traces, ../shared if not set. To see what differs in a run: `tb/perf/golden.sh show TCSIM RUN` with the first column of its line.
set -euo pipefail

project=$(realpath "$(dirname "$0")/../..")
presets=(volta turing turing_geforce collectors four_banks ampere ada hopper blackwell)
usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }

# Runs are words of a command line. What a machine refuses, as a trace of another architecture, is left out of the lines.
on_all_presets() { for preset in "${presets[@]}"; do echo "$1 --config $preset${2:+ $2}"; done; }

filters="--filter-height 3 --filter-width 3 --padding 1"
convolution="conv --config blackwell --height 12 --width 10 --channels 32 --filters 16 $filters"
records="--stats-interval 100 --pictures --vcd run.vcd --timeline run.timeline.json --konata run.kanata"

trace_runs() {
  local trace
  for trace in traces/*/kernel.trace* shared/traces/*.trace; do on_all_presets "run $trace"; done
  for trace in sm_70.wmma_f16_f32_m16n16k16 sm_75.tiled_f16_f32 sm_90.gemm_f16_f32_m16n16k16.rough; do
    on_all_presets "run traces/$trace/kernel.trace" "$records"
  done
  echo "run traces/sm_75.micro_f16_f16_m16n16k16/kernel.trace traces/sm_75.tiled_f16_f32/kernel.trace --config turing"
}

gemm_runs() {
  local precision
  for precision in f16 mixed bf16 tf32 e4m3 e5m2 e4m3.f16 s8 u8 s4 b1 b1.and; do
    on_all_presets gemm "--size 128 --precision $precision"
    on_all_presets gemm "-m 64 -n 192 -k 320 --single-buffer --precision $precision"
    echo "gemm --config hopper --instructions wgmma --size 128 --precision $precision"
    echo "gemm --config hopper --instructions wgmma -m 192 -n 72 -k 200 --stages 2 --precision $precision"
  done
  on_all_presets gemm "--size 384"
  echo "gemm --config hopper --instructions wgmma --size 512"
  echo "gemm --config hopper --instructions wgmma --size 128 $records"
  echo "gemm --config turing --size 64,128 --precision s8,mixed"
}

convolution_runs() {
  local method
  for method in im2col shift "shift --ashift" both; do
    echo "$convolution --method $method"
    echo "conv --config blackwell --height 28 --width 28 --channels 64 --filters 64 $filters --method $method"
    echo "conv --config blackwell --batch 3 --height 9 --width 11 --channels 40 --filters 24 --filter-height 2 --filter-width 3 --padding 0x1 --dilation 2 --method $method"
  done
  echo "$convolution --stride 2 --method im2col"
  echo "$convolution --method shift $records"
  echo "conv --config blackwell --height 32 --width 32 --channels 512 --filters 256 --method im2col"
}

# Each unit that has another way of working, in another way.
changed_machine_runs() {
  local change
  for change in sms=1 sm.sub_core.fetch.ideal=false sm.sub_core.issue.hazards=interlock sm.sub_core.issue.policy=loose_round_robin \
    sm.sub_core.register_file.write_ports=2 global_memory.hierarchy.enabled=false \
    "global_memory.hierarchy.enabled=false --set global_memory.latency_cycles=5000"; do
    on_all_presets gemm "--size 128 --set $change"
    echo "gemm --config hopper --instructions wgmma --size 256 --set $change"
    echo "$convolution --set $change"
  done
}

stream_runs() {
  local preset operation accumulators warps
  while read -r preset operation accumulators; do
    for warps in 1 4 16 64; do
      echo "run matrix/$operation,$accumulators,$warps --config $preset --set sms=1 --dump global:0x100000:$((65536 * warps)):memory.bin"
    done
  done <<END
volta HMMA.884.F32.F32 2
turing HMMA.1688.F32 6
turing IMMA.8816.S8.S8 6
turing BMMA.88128.XOR.POPC 6
hopper HMMA.16816.F32 4
hopper IMMA.16832.S8.S8 4
END
  for warps in 1 4 16 64; do
    echo "run copy/1,$warps --config hopper"
    echo "run copy/4,$warps --config hopper --set sms=1"
    echo "run copy/1,$warps --config hopper --set global_memory.hierarchy.enabled=false --set global_memory.latency_cycles=10000"
  done
}

commands() {
  trace_runs
  gemm_runs
  convolution_runs
  changed_machine_runs
  stream_runs
}

# The folder in which runs find their traces by names that are the same everywhere.
make_folder() {
  local kind first second warps
  ln -s "$project/traces" traces
  ln -s "${TCSIM_SHARED:-$project/../shared}" shared
  mkdir matrix copy
  commands | grep -oE '(matrix|copy)/[^ ]*' | sort -u | while IFS=/, read -r kind first second warps; do
    if [[ $kind == matrix ]]; then
      awk -v operation="$first" -v accumulators="$second" -v warps="$warps" -v instructions=2560 -f "$project/tb/perf/matrix_stream.awk" \
        >"matrix/$first,$second,$warps"
    else
      awk -v loads="$first" -v warps="$second" -v rounds=40 -f "$project/tb/perf/memory_stream.awk" >"copy/$first,$second"
    fi
  done
}

list() { commands; }

folder() {
  mkdir -p "$1"
  cd "$1"
  make_folder
}

# run_one COMMAND: runs it in an empty folder; what it wrote lies in $written.
run_one() {
  written=$(mktemp -d --tmpdir="$PWD")
  ln -s ../traces ../shared ../matrix ../copy "$written"
  status=0
  # shellcheck disable=SC2086 # words of a command line
  (cd "$written" && "$tcsim" $1 --stats statistics >report 2>&1) || status=$?
  find "$written" -type l -delete
  if [[ -f $written/statistics ]]; then sed -i '/^  "host": {$/,/^  }/d; /^  "host": /d; /^  "tcsim": /d' "$written/statistics"; fi
}

# line_of COMMAND: the line of a run.
line_of() {
  run_one "$1"
  if ((status != 2)); then
    local numbers
    numbers=$(sed -nE 's/^  "(cycles|instructions)": ([0-9]+),$/\2/p' "$written/statistics" 2>/dev/null | tr '\n' '\t' || true)
    printf '%s\t%s\t%s%s\n' "$1" "$status" "$numbers" "$(cd "$written" && find . -type f | sort | xargs sha256sum | sha256sum | cut -c1-16)"
  fi
  rm -r "$written"
}

in_folder() {
  tcsim=$(realpath "$1")
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
  make_folder
}

write() {
  local out
  out=$(realpath "$2")
  in_folder "$1"
  export -f line_of run_one
  export tcsim
  # shellcheck disable=SC2016 # $1 is of the inner shell
  commands | sed 'p; s/ --dump [^ ]*//; s/$/ --no-data/' | tr '\n' '\0' |
    xargs -0 -P "$(nproc)" -n 1 bash -c 'set -euo pipefail; line_of "$1"' _ | sort >lines
  [[ -s lines ]] || { echo "no run succeeded" >&2; exit 1; }
  cp lines "$out"
  echo "$(wc -l <lines) runs"
}

compare() {
  if diff <(sort "$1") <(sort "$2"); then
    echo "$(wc -l <"$1") runs, all the same"
  else
    exit 1
  fi
}

# show TCSIM COMMAND: its files, one after the other.
show() {
  in_folder "$1"
  run_one "$2"
  (cd "$written" && find . -type f | sort | xargs tail -n +1)
}

case "${1-}" in
  write | show) (($# == 3)) || usage ;;
  compare) (($# == 3)) || usage ;;
  list) (($# == 1)) || usage ;;
  folder) (($# == 2)) || usage ;;
  *) usage ;;
esac
"$@"
