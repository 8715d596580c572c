// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/matrix_bookings.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/reuse_cache.hpp>

namespace tc::subcore {

/// Where the operand values of one instruction come from: bank reads, reuse-cache entries, copies of a register that another operand reads.
/// Made at issue, carried out when the operands are read. Positions count registers in warp_instruction::operand_rows; the registers
/// of one operand that lie in one bank follow each other, so that one transaction brings them.
struct operand_plan {
  static constexpr unsigned max_banks = 32, max_reads = 32, max_moves = 24;

  struct bank_read {
    std::uint8_t bank, registers, position;
    std::uint8_t slot;   ///< operand slot; isa::no_slot if it has none
    std::uint8_t index;  ///< the first register
    std::uint32_t row;   ///< its row in the bank, from the warp's first row on
  };
  /// A register that a bank delivers.
  struct bank_register {
    std::uint8_t position;
    std::uint8_t row;  ///< in its bank, from the warp's first row on
  };
  /// A register that passes between an operand and the reuse cache, or from one operand to another.
  struct move {
    enum class kind : std::uint8_t { from_cache, to_cache, copy };
    kind what;
    std::uint8_t position;
    std::uint8_t slot, bank;  ///< of the cache entry
    std::uint8_t source;      ///< position to copy from
  };

  using bank_counts = std::array<std::uint8_t, max_banks>;

  /// Numbers of some of the sources.
  struct source_list {
    std::array<std::uint8_t, isa::instruction::max_sources> numbers;
    std::uint8_t count = 0;

    void add(unsigned source) { numbers[count++] = static_cast<std::uint8_t>(source); }
    const std::uint8_t* begin() const { return numbers.data(); }
    const std::uint8_t* end() const { return numbers.data() + count; }
  };

  std::array<bank_read, max_reads> reads;
  std::array<bank_register, links::warp_instruction::max_operand_registers> registers;  ///< of the reads, in the order of their banks
  std::array<move, max_moves> moves;
  std::array<links::source_value, isa::instruction::max_sources> sources;
  source_list outside_banks;        ///< sources whose values come from elsewhere
  source_list variable;             ///< sources that are registers, but for RZ, PT and the like
  register_set read;                ///< the registers of these
  bank_counts registers_of_bank{};  ///< registers that each bank must deliver
  std::uint8_t read_count = 0, move_count = 0, position_count = 0;
  std::uint8_t reuse_hits = 0, registers_read = 0;
  std::uint8_t zero_position = no_position;  ///< register that holds zero, for RZ
  bool leaves_entries = false;               ///< in the reuse cache
  matrix_bookings bookings;                  ///< of a matrix instruction
  std::uint16_t kind = 0;                    ///< of a matrix instruction: see shared_operand_plans::kind_of()

  static constexpr std::uint8_t no_position = 0xff;
};

/// Registers that an operand which is a register stands for, as `value` holds it. A predicate is not held there.
inline unsigned registers_of(const isa::operand& source, const links::source_value& value) {
  const bool is_predicate = source.file == isa::register_file::predicate || source.file == isa::register_file::uniform_predicate;
  return is_predicate ? 1U : value.count;
}

/// An operand register that is alone in its bank, and so fits the entry of its slot there.
struct reuse_entry {
  unsigned slot, bank, index;
};

/// The operand registers of an instruction that the reuse cache could have, in the order of the operands, in a warp whose registers begin
/// in the bank `first_bank`.
std::vector<reuse_entry> cacheable_operands(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping,
                                            const reuse_cache& cache);

/// The plan of an instruction in a warp whose registers begin in the bank `first_bank`. `hits` has a bit for each of its
/// cacheable_operands() that the reuse cache has.
operand_plan plan_operands(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping, const reuse_cache& cache,
                           std::uint32_t hits);

/// The instruction issues: its operands take and leave their reuse-cache entries.
void use_reuse_cache(const isa::instruction& code, unsigned warp_slot, const register_mapping& mapping, reuse_cache& cache);

/// The instruction issues: its results void the entries of the registers that it writes.
void void_written_entries(const isa::instruction& code, unsigned warp_slot, reuse_cache& cache);

}  // namespace tc::subcore
