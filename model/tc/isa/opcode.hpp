// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/register_use.hpp>

namespace tc::isa {

/// Base mnemonics in the disassembler's spelling; what follows the first dot is in `modifiers`. Instructions for the asynchronous units
/// have those of PTX, dots included, and what follows is in `asynchronous_operation`. `break_` ends in an underscore because the
/// bare word is a keyword. add_opcode() makes values behind these.
enum class opcode : std::uint8_t {
#define TC_OPCODE(enumerator, ...) enumerator,
#include <tc/isa/opcode_rows.inc>
};

/// Opcodes of the instruction set, and how many there can be with those of add_opcode().
inline constexpr std::size_t opcode_count =
    std::initializer_list<opcode>{
#define TC_OPCODE(enumerator, ...) opcode::enumerator,
#include <tc/isa/opcode_rows.inc>
    }
        .size();
inline constexpr std::size_t max_opcodes = 256;

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
  warpgroup,      ///< the part of a sub-core in warpgroup matrix instructions
  tensor_memory,  ///< tensor memory, its allocation, and the matrix instructions that work on it
  load_store,     ///< global, shared and local memory, SHFL, matrix transposition across lanes
  constant_load,  ///< LDC, ULDC
  system,         ///< special registers, barriers, waits
};

/// How many there are.
inline constexpr std::size_t execution_units = static_cast<std::size_t>(execution_unit::system) + 1;

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
  single,             ///< one each
  fp64,               ///< pairs
  integer_pair,       ///< pairs with .64
  multiply_add,       ///< IMAD: .WIDE has a pair as destination and addend, .HI a pair as addend
  float_to_float,     ///< F2F: by the formats in the modifiers, the destination's first
  float_to_integer,   ///< F2I: by the integer type and the format
  integer_to_float,   ///< I2F
  float_to_integral,  ///< FRND: one format for both
  clock,              ///< CS2R: a pair, or one with .32
  load,               ///< destination by access width
  store,              ///< data by access width
  atomic,             ///< destination and data by access width
  copy,               ///< LDGSTS: a 32-bit shared address, then a global one
  load_matrix,        ///< LDSM: one for each 8x8 matrix
  store_matrix,       ///< STSM
  matrix_multiply,    ///< by shape and element types
  code_address,       ///< a pair that holds a program counter
};

/// What the sources of an instruction may be, where it is less than the unit takes.
enum class source_kind : std::uint8_t { any, vector_register, special_register };

/// Which sources are predicates: number `first` up to the one before `end`. All others are values: registers, immediates, constants, and
/// what the unit has besides.
struct predicate_range {
  std::uint8_t first = 0, end = 0;

  constexpr bool contains(unsigned source) const { return first <= source && source < end; }
};

/// The memory that an instruction reads or writes; none: the instruction has no address.
enum class memory_space : std::uint8_t { none, global, shared, local, generic, constant };
inline constexpr unsigned memory_spaces = 6;

/// What an instruction does with memory, or with the data path to it.
enum class memory_action : std::uint8_t {
  none,
  load,              ///< each lane reads its own bytes
  store,             ///< each lane writes its own bytes
  load_matrix,       ///< LDSM: rows of 8x8 matrices, dealt to the lanes
  store_matrix,      ///< STSM
  atomic,            ///< reads, computes and writes in one
  copy,              ///< LDGSTS: global to shared memory
  transpose_matrix,  ///< MOVM: an 8x8 matrix changes places between lanes, without memory
  exchange,          ///< SHFL: registers change places between lanes, without memory
  order,             ///< orders or ends other accesses: MEMBAR, LDGDEPBAR
  barrier,           ///< an mbarrier object; its operand says which
  bulk_copy,         ///< starts a copy that runs by itself, or says something about those that do
};

struct memory_use {
  memory_space space = memory_space::none;
  memory_action action = memory_action::none;
};

/// What the warp scheduler does with an instruction.
enum class issue_role : std::uint8_t {
  dispatched,          ///< hands it to operand fetch and its unit
  ends_at_issue,       ///< nothing more: control flow and waits need no operand values and produce none
  waits_for_counters,  ///< DEPBAR: holds it until a dependence counter is low enough; then nothing more
  arrives_at_barrier,  ///< BAR: holds the warp at a barrier of its CTA
  holds_warp,          ///< hands it to its unit; the warp issues nothing more until it is back
  exits,               ///< EXIT: ends the warp if all its lanes do
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
  source_kind sources = source_kind::any;
  predicate_range predicates{};  ///< among the sources of a dispatched instruction
  std::uint8_t first_slot = 0;   ///< operand slot of the first source: 0 = A; 1 = B for the likes of MOV
  width_rule widths = width_rule::single;
  number_style numbers = number_style::integer;  ///< of the immediates; halves are bf16 where the modifiers say so
  memory_use memory{};
  issue_role role = issue_role::dispatched;
  std::uint64_t modifier_groups = 0;  ///< set of modifier_group (modifiers.hpp) that may follow the mnemonic
};

/// The rows of all opcodes.
class opcode_table {
 public:
  static const opcode_info& row(opcode op) { return rows_[static_cast<std::size_t>(op)]; }

 private:
  friend opcode add_opcode(const opcode_info& row);

  static std::array<opcode_info, max_opcodes> rows_;
  static std::size_t size_;
};

/// The properties of an opcode.
inline const opcode_info& info(opcode op) { return opcode_table::row(op); }

/// The opcode of a base mnemonic, nullptr if no architecture has it.
const opcode_info* find_opcode(std::string_view mnemonic);

/// Adds an instruction of the caller's own; `row.op` is ignored. Its mnemonic is then known to configurations and traces, so that this
/// comes before the first of them is read, and not while another thread reads one. Throws std::invalid_argument if the mnemonic is taken,
/// if the row leaves out what its unit needs, if it asks for a matrix instruction (whose shapes are not in its row), or if the table is
/// full.
opcode add_opcode(const opcode_info& row);

inline execution_unit unit_of(opcode op) { return info(op).unit; }
inline issue_role role_of(opcode op) { return info(op).role; }
inline bool is_queued(opcode op) { return info(op).latency == latency_class::queued; }
/// True for the matrix multiply-accumulate instructions of the register file: HMMA, IMMA, BMMA, DMMA, QMMA.
inline bool is_mma(opcode op) { return info(op).widths == width_rule::matrix_multiply; }

}  // namespace tc::isa
