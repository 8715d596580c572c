// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/operand_timing.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/reuse_cache.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// Some of the coming cycles, as a bit each.
class cycle_set {
 public:
  /// Nobody books this far ahead, so that the bit of a cycle that has passed can be used again. Who books farthest, a matrix instruction
  /// its result's writes, sees to that (port_reservation.cpp).
  static constexpr unsigned days = 64;

  cycle_set() = default;
  /// Cycles that follow each other.
  cycle_set(cycle_t first, cycle_t count) {
    bits_ = count >= days ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    *this = later(first);
  }

  bool has(cycle_t cycle) const { return (bits_ >> cycle % days & 1U) != 0; }
  bool is_empty() const { return bits_ == 0; }
  /// The same cycles, so many later.
  cycle_set later(cycle_t cycles) const {
    cycle_set moved;
    const unsigned turns = cycles % days;
    moved.bits_ = bits_ << turns | bits_ >> (days - turns) % days;
    return moved;
  }
  void remove(const cycle_set& others) { bits_ &= ~others.bits_; }
  /// Adds others. Returns those of them that it has had before.
  cycle_set add(const cycle_set& others) {
    cycle_set had;
    had.bits_ = bits_ & others.bits_;
    bits_ |= others.bits_;
    return had;
  }

 private:
  std::uint64_t bits_ = 0;
};

/// The register ports that a matrix instruction takes from those of fixed latency, in cycles from Allocate on: see port_reservation.
struct matrix_bookings {
  /// Registers of an operand that follow each other: one of each bank in a cycle.
  struct operand {
    cycle_set reads;              ///< of each bank
    cycle_set longer_reads;       ///< of a bank that has one more
    std::uint32_t with_more = 0;  ///< a bit for each of these banks

    const cycle_set& reads_of(unsigned bank) const { return (with_more >> bank & 1U) != 0 ? longer_reads : reads; }
  };
  std::array<operand, 3> reads{};  ///< A, B, C
  std::uint8_t reads_end = 0;      ///< of B
  std::uint8_t write_cycles = 0;
};

/// Those of an instruction in a warp whose registers begin in the bank `first_bank`; nothing for one that is none.
matrix_bookings matrix_bookings_of(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping);

/// Where the operand values of one instruction come from: bank reads, reuse-cache entries, copies of a register that another operand reads.
/// Made at issue, carried out when the operands are read. Positions count registers in warp_instruction::operand_rows; the registers
/// of one operand that lie in one bank follow each other. One transaction brings all that a bank has.
struct operand_plan {
  static constexpr unsigned max_banks = 32, max_reads = 32, max_moves = 24, max_requests = 32;

  struct bank_read {
    std::uint8_t bank, registers, position;
    std::uint8_t slot;         ///< operand slot; isa::no_slot if it has none
    std::uint8_t index;        ///< the first register
    std::uint32_t row;         ///< its row in the bank, from the warp's first row on
    std::uint8_t late_cycles;  ///< by which it comes behind the other operands
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

  /// What one bank is asked for: ranges that follow each other.
  struct bank_request {
    std::uint8_t bank, first_range, ranges;
  };

  std::array<bank_read, max_reads> reads;
  std::array<links::row_range, max_reads> ranges;  ///< the same, in the order of their banks, from the warp's first row on
  std::array<bank_request, max_requests> requests;
  std::array<move, max_moves> moves;
  std::array<links::source_value, isa::instruction::max_sources> sources;
  source_list outside_banks;        ///< sources whose values come from elsewhere
  source_list variable;             ///< sources that are registers, but for RZ, PT and the like
  register_set read;                ///< the registers of these
  register_set address;             ///< the registers of the address
  bank_counts registers_of_bank{};  ///< registers that each bank must deliver
  std::uint8_t read_count = 0, request_count = 0, move_count = 0, position_count = 0;
  std::uint8_t reuse_hits = 0, registers_read = 0;
  std::uint8_t zero_position = no_position;  ///< register that holds zero, for RZ
  bool leaves_entries = false;               ///< in the reuse cache
  std::uint8_t latest_read_cycles = 0;       ///< by which the latest of them comes behind the other operands
  std::uint8_t address_source = no_source;   ///< number of the source that is the address of an access to memory
  matrix_bookings bookings;                  ///< of a matrix instruction
  std::uint16_t kind = 0;                    ///< of a matrix instruction: see shared_operand_plans::kind_of()

  static constexpr std::uint8_t no_position = 0xff, no_source = 0xff;
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
operand_plan plan_operands(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping,
                           const links::late_operands& late, const reuse_cache& cache, std::uint32_t hits);

/// The instruction issues: its operands take and leave their reuse-cache entries.
void use_reuse_cache(const isa::instruction& code, unsigned warp_slot, const register_mapping& mapping, reuse_cache& cache);

/// The instruction issues: its results void the entries of the registers that it writes.
void void_written_entries(const isa::instruction& code, unsigned warp_slot, reuse_cache& cache);

}  // namespace tc::subcore
