#pragma once

#include <cstdint>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/register_use.hpp>

namespace tc::isa {

/// Base mnemonics in the disassembler's spelling; what follows the first dot is in `modifiers`. `break_` ends in an underscore because the
/// bare word is a keyword.
enum class opcode : std::uint8_t {
  nop,
  // matrix
  hmma,
  imma,
  bmma,
  dmma,
  qmma,
  movm,
  // 32-bit floating point
  fadd,
  fmul,
  ffma,
  fmnmx,
  fset,
  fsetp,
  fsel,
  fchk,
  fswzadd,
  mufu,
  // packed 16-bit floating point
  hadd2,
  hmul2,
  hfma2,
  hmnmx2,
  hset2,
  hsetp2,
  // 64-bit floating point
  dadd,
  dmul,
  dfma,
  dsetp,
  dmnmx,
  // integer and logic
  iadd3,
  imad,
  imnmx,
  isetp,
  iabs,
  idp,
  lea,
  lop3,
  plop3,
  mov,
  sel,
  prmt,
  shf,
  sgxt,
  bmsk,
  viadd,
  vimnmx,
  vabsdiff,
  vabsdiff4,
  r2p,
  p2r,
  popc,
  flo,
  brev,
  // conversions
  f2f,
  f2fp,
  f2i,
  f2ip,
  i2f,
  i2fp,
  i2ip,
  frnd,
  // memory
  ld,
  st,
  ldg,
  stg,
  lds,
  sts,
  ldl,
  stl,
  ldc,
  ldcu,
  ldsm,
  stsm,
  ldgsts,
  ldgdepbar,
  atom,
  atomg,
  atoms,
  red,
  depbar,
  membar,
  fence,
  errbar,
  cctl,
  // uniform data path
  uldc,
  uiadd3,
  uimad,
  ulea,
  ulop3,
  uplop3,
  umov,
  usel,
  ushf,
  usgxt,
  uisetp,
  uprmt,
  ubmsk,
  uflo,
  upopc,
  ubrev,
  up2ur,
  ur2up,
  r2ur,
  s2ur,
  voteu,
  redux,
  uclea,
  elect,
  // control, synchronisation and communication between lanes
  bra,
  brx,
  jmp,
  jmx,
  call,
  ret,
  exit,
  kill,
  bssy,
  bsync,
  break_,
  warpsync,
  bmov,
  yield,
  nanosleep,
  bar,
  b2r,
  s2r,
  cs2r,
  shfl,
  vote,
  match,
  pmtrig,
  bpt,
};

/// Execution unit that takes an instruction after operand fetch. From Volta on, integer multiply-add shares the pipe of FP32 (Jia et al.,
/// arXiv 1804.06826), while FP32 comparison and selection go to the integer pipe.
enum class execution_unit : std::uint8_t {
  none,
  tensor,
  fp32,     ///< FP32 and integer multiply-add
  integer,  ///< integer, logic, moves, comparison
  half,     ///< packed 16-bit floating point
  fp64,
  special_function,  ///< MUFU, conversions, bit counting
  uniform,           ///< uniform data path
  branch,
  load_store,     ///< global, shared and local memory, SHFL, matrix transposition across lanes
  constant_load,  ///< LDC, ULDC
  system,         ///< special registers, barriers, waits
};

/// Whether the time to the result is known when an instruction issues. Fixed-latency instructions are covered by the stall count of their
/// consumers; queued ones wait in front of their unit and announce their result through a dependence counter (Huerta et al., arXiv
/// 2503.20481).
enum class latency_class : std::uint8_t { fixed, queued };

/// The registers that come before the sources in the operand list: up to `leading_predicates`, then a register of `file`, then up to
/// `trailing_predicates`. Predicates may be left out, as the disassembler does.
struct destination_shape {
  std::uint8_t leading_predicates = 0;
  register_file file = register_file::none;  ///< of the general destination; none: there is none
  bool optional = false;                     ///< the general destination may be left out
  std::uint8_t trailing_predicates = 0;
  register_file alternative = register_file::none;  ///< another file that the general destination may be in
};

/// How many 32-bit registers the operands of an instruction take.
enum class width_rule : std::uint8_t {
  single,           ///< one each
  fp64,             ///< pairs
  multiply_add,     ///< IMAD: .WIDE has a pair as destination and addend, .HI a pair as addend
  conversion,       ///< by the formats named in the modifiers
  clock,            ///< CS2R: a pair, or one with .32
  load,             ///< destination by access width
  store,            ///< data by access width
  atomic,           ///< destination and data by access width
  copy,             ///< LDGSTS: a 32-bit shared address, then a global one
  load_matrix,      ///< LDSM: one for each 8x8 matrix
  store_matrix,     ///< STSM
  matrix_multiply,  ///< by shape and element types
  code_address,     ///< a pair that holds a program counter
};

/// What the decoder and the timing model know about a base mnemonic.
struct opcode_info {
  std::string_view mnemonic;
  opcode op = opcode::nop;
  execution_unit unit = execution_unit::none;
  latency_class latency = latency_class::fixed;
  architecture_range architectures{};
  destination_shape destinations{};
  std::uint8_t min_sources = 0, max_sources = 0;  ///< operands after the destinations, labels not counted
  width_rule widths = width_rule::single;
  std::uint8_t first_slot = 0;        ///< operand slot of the first source: 0 = A; 1 = B for the likes of MOV
  std::uint64_t modifier_groups = 0;  ///< set of modifier_group (modifiers.hpp) that may follow the mnemonic
};

/// The properties of an opcode.
const opcode_info& info(opcode op);

/// The opcode of a base mnemonic, nullptr if no architecture has it.
const opcode_info* find_opcode(std::string_view mnemonic);

inline execution_unit unit_of(opcode op) { return info(op).unit; }
inline bool is_queued(opcode op) { return info(op).latency == latency_class::queued; }
/// True for the matrix multiply-accumulate instructions of the register file: HMMA, IMMA, BMMA, DMMA, QMMA.
constexpr bool is_mma(opcode op) { return opcode::hmma <= op && op <= opcode::qmma; }

}  // namespace tc::isa
