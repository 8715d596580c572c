# SPDX-License-Identifier: Apache-2.0
# Writes a trace that keeps the tensor cores of one SM busy: warps that issue matrix instructions, each on its accumulators in turn, and
# store the accumulators in the end, so that the run has a result.
#
#     awk -v operation=HMMA.16816.F32 -v warps=16 -v accumulators=8 -v instructions=200000 -f tb/perf/matrix_stream.awk > stream.trace
#     build/release/bin/tcsim run stream.trace --config hopper --set sms=1
#
# Addresses, immediates, registers and control codes are those of compiled code, a loop of 64 instructions. Turing announces products by barriers;
# Hopper has stall counts such that an accumulator is there when its turn comes again, and keeps A for the next product. A CTA has up to 32 warps.
# The accumulators of warp w lie at 0x100000 from 0x10000 w on.

# describe(name, architecture, registers of A, B and C, 1 if A and B have .ROW and .COL, 1 if products are announced by barriers,
#          cycles until a product can be accumulated on, if stall counts hold that back)
function describe(name, arch_, a_, b_, c_, ordered_, announced_, latency_) {
  if (name != operation) return
  arch = arch_; a_registers = a_; b_registers = b_; c_registers = c_; ordered = ordered_; announced = announced_; latency = latency_
}

function describe_all() {
  describe("HMMA.884.F32.F32", "sm_70", 2, 2, 8, 1, 0, 0)
  describe("HMMA.1688.F32", "sm_75", 2, 1, 4, 0, 1, 0)
  describe("IMMA.8816.S8.S8", "sm_75", 1, 1, 2, 1, 1, 0)
  describe("BMMA.88128.XOR.POPC", "sm_75", 1, 1, 2, 1, 1, 0)
  describe("HMMA.16816.F32", "sm_90", 4, 2, 4, 0, 0, 24)
  describe("IMMA.16832.S8.S8", "sm_90", 4, 2, 4, 1, 0, 24)
}

# A number from 0 to `values` - 1 (Park and Miller's generator).
function random(values) {
  state = state * 16807 % 2147483647
  return state % values
}

# Pairs of f16 between 1 and 2, in magnitude.
function write_register(r,  lane) {
  printf "reg R%d {", r
  for (lane = 0; lane < 32; ++lane)
    printf "%s0x%x%03x%x%03x", lane ? ", " : "", random(2) ? 3 : 11, 3072 + random(1024), random(2) ? 3 : 11, 3072 + random(1024)
  print "}"
}

function instruction(i, control, text) {
  printf "/*%04x*/ %s %s\n", 16 * (i % 64), control, text
}

# Instruction i of a warp. HMMA.884 comes in sets of four steps, each with a pair of the registers of C.
function write_product(i,  steps, step, c, barrier, control) {
  steps = arch == "sm_70" ? 4 : 1
  step = i % steps
  accumulator = int(i / steps) % accumulators
  c = first_c + c_registers * accumulator + 2 * step
  barrier = accumulator % 6
  control = sprintf("[B------:R-:W-:-:S%02d]", stall)
  if (announced)
    control = sprintf("[B%s%s%s:R-:W%d:-:S02]", substr("------", 1, barrier), i < accumulators ? "-" : barrier, substr("------", barrier + 2), barrier)
  instruction(i, control, sprintf("%s R%d, R%d%s, R%d%s, R%d", operation (steps > 1 ? ".STEP" step : ""), c, first_a,
                                  (latency ? ".reuse" : "") (ordered ? ".ROW" : ""), first_b, ordered ? ".COL" : "", c))
}

function write_warp(warp, products,  r, i) {
  print "warp " warp % cta_warps
  for (r = first_a; r < registers; ++r) write_register(r)
  for (i = 0; i < products; ++i) write_product(i)
  instruction(i++, "[B012345:R-:W-:-:S15]", "NOP")
  instruction(i++, "[B------:R-:W-:-:S15]", "NOP")
  instruction(i++, "[B------:R-:W-:-:S15]", "NOP")
  for (r = first_c; r < registers; ++r)
    instruction(i++, "[B------:R0:W-:-:S04]", sprintf("STG.E.SYS [RZ], R%d @ 0x%x+4", r, 1048576 + 65536 * warp + 128 * (r - first_c)))
  instruction(i, "[B0-----:R-:W-:-:S05]", "EXIT")
}

BEGIN {
  state = 1
  describe_all()
  if (!arch) { print "unknown operation: " operation > "/dev/stderr"; exit 1 }
  stall = latency > 2 * accumulators ? int((latency + accumulators - 1) / accumulators) : 2
  if (stall > 15) { print "too few accumulators: a stall count has no more than 15 cycles of " latency > "/dev/stderr"; exit 1 }
  first_a = 4; first_b = 8; first_c = 12
  registers = first_c + c_registers * accumulators
  cta_warps = warps < 32 ? warps : 32
  print "tcsim-trace 1\narch " arch "\nkernel " operation "_stream\ngrid " warps / cta_warps " 1 1\nblock " 32 * cta_warps " 1 1"
  printf "registers %d\nmemory 0x100000 %d zero\n", registers, 65536 * warps
  for (warp = 0; warp < warps; ++warp) {
    if (warp % cta_warps == 0) print "cta " warp / cta_warps " 0 0"
    write_warp(warp, int(instructions / warps))
  }
}
