#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of docs/inspection.md anew, from the compiled tiled kernel and a convolution that shifts. Usage: tools/pictures/pictures.sh TCSIM,
# from the root of the checkout. Needs gtkwave and xvfb for the waves, chromium and python3-selenium for the reports.
set -euo pipefail

tcsim=$(realpath "${1:?usage: tools/pictures/pictures.sh TCSIM}")
kernel=traces/sm_75.tiled_f16_f32/kernel.trace
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$tcsim" run $kernel --config turing --vcd "$folder/run.vcd" --stats "$folder/run.json" --stats-interval 100 --pictures >"$folder/report"
"$tcsim" run $kernel --config turing --timeline "$folder/timeline.json" --konata "$folder/run.kanata" --window 868..960 >"$folder/report"
"$tcsim" conv --config blackwell --batch 3 --height 9 --width 9 --channels 16 --filters 16 --filter-height 3 --filter-width 3 --padding 0x1 \
  --method shift --stats "$folder/conv.json" --stats-interval 100 --pictures >"$folder/report"

python=/usr/bin/python3
$python tools/pictures/picture.py "$folder/run.vcd" app/views/turing.gtkw docs/waves.png --from 868
$python tools/pictures/timeline_picture.py "$folder/timeline.json" docs/timeline.svg --cycles 868..960
$python tools/pictures/konata_picture.py "$folder/run.kanata" docs/konata.svg --cycles 868..960 --thread 0
report() { $python tb/browser/run_report_test.py --tcsim "$tcsim" --statistics "$folder/$1" --screenshot "$2" "${@:3}"; }
report run.json docs/run-report.png
report conv.json docs/tensor-memory-report.png --section tensor-section --cycle 3013
