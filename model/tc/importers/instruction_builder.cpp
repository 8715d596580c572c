// SPDX-License-Identifier: Apache-2.0
#include "instruction_builder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/isa/mnemonic.hpp>
#include <tc/isa/operand_widths.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::importers {
namespace {

using isa::execution_unit;
using isa::register_file;
using isa::width_rule;

constexpr unsigned addend = 2;

std::string register_name(unsigned number) { return number == isa::zero_register ? "RZ" : fmt::format("R{}", number); }

/// The registers of an opcode's operands, dealt out.
class operand_writer {
 public:
  operand_writer(const isa::mnemonic& opcode, const recorded_operands& recorded)
      : info_(*opcode.info), mods_(opcode.mods), predicates_(isa::predicate_sources(info_.op, mods_)), recorded_(recorded) {
    const bool first_is_source = info_.destinations.file != register_file::vector;
    if (first_is_source) registers_.assign(recorded.destinations.begin(), recorded.destinations.end());
    registers_.insert(registers_.end(), recorded.sources.begin(), recorded.sources.end());
  }

  std::vector<std::string> write() {
    write_destinations();
    write_sources();
    return std::move(operands_);
  }

 private:
  void write_destinations() {
    const isa::destination_shape& shape = info_.destinations;
    const bool behind_predicate =
        shape.file == register_file::vector && shape.leading_predicates != 0 && recorded_.destinations.size() == 0 && !registers_.empty();
    const bool before_predicate = predicates_.contains(0);  // which would be taken for a destination, were there none
    if (shape.file == register_file::none || behind_predicate || before_predicate)
      operands_.insert(operands_.end(), shape.leading_predicates, "PT");
    if (shape.file == register_file::vector) write_vector_destination(behind_predicate);
    if (shape.file == register_file::uniform && !shape.optional) operands_.emplace_back("URZ");
    if (shape.file == register_file::barrier) operands_.emplace_back("B0");
    if (before_predicate) operands_.insert(operands_.end(), shape.trailing_predicates, "PT");
  }

  void write_vector_destination(bool behind_predicate) {
    const isa::destination_shape& shape = info_.destinations;
    if (recorded_.destinations.size() != 0) {
      operands_.push_back(register_name(recorded_.destinations[0]));
    } else if (behind_predicate) {
      operands_.push_back(register_name(registers_.front()));
      registers_.erase(registers_.begin());
    } else if (shape.alternative == register_file::barrier) {
      operands_.emplace_back("B0");
    } else if (!shape.optional) {
      operands_.emplace_back("RZ");
    }
  }

  void write_sources() {
    if (info_.unit == execution_unit::constant_load) {
      const unsigned index = registers_.empty() || info_.destinations.file != register_file::vector ? isa::zero_register : registers_[0];
      operands_.push_back(index == isa::zero_register ? "c[0x0][0x0]" : fmt::format("c[0x0][R{}]", index));
      return;
    }
    if (info_.unit == execution_unit::uniform && info_.sources != isa::source_kind::vector_register) registers_.clear();
    if (info_.widths == width_rule::store && registers_.size() == 1) registers_.insert(registers_.begin(), isa::zero_register);
    const std::size_t least = std::max(info_.min_sources, predicates_.first), count = std::max(least, registers_.size());
    const bool middle_is_missing = recorded_.has_immediate && registers_.size() == addend && count > addend && all_are_alike();
    for (std::size_t n = 0, next = 0; n < least || next < registers_.size(); ++n) {
      const bool is_predicate = n < least && predicates_.contains(static_cast<unsigned>(n));
      const bool absent = next == registers_.size() || (middle_is_missing && n == 1) || is_predicate;
      operands_.push_back(absent ? stand_in(n) : source(n, registers_[next++]));
    }
  }

  /// Whether an immediate can stand in any place: not in accesses and matrix instructions.
  bool all_are_alike() const { return !is_address(0) && info_.widths != width_rule::matrix_multiply; }

  bool is_address(std::size_t n) const {
    switch (info_.widths) {
      case width_rule::load:
      case width_rule::load_matrix:
      case width_rule::store:
      case width_rule::store_matrix:
      case width_rule::atomic:
        return n == 0;
      case width_rule::copy:
        return n <= 1;
      default:
        return false;
    }
  }

  std::string source(std::size_t n, unsigned number) const {
    if (!is_address(n)) return register_name(number);
    const bool shared_target = info_.widths == width_rule::copy && n == 0;
    const bool offset = mods_.address_64 && !shared_target && number != isa::zero_register && number % 2 != 0;
    return fmt::format("[{}{}]", register_name(number), offset ? ".U32" : "");
  }

  std::string stand_in(std::size_t n) const {
    if (predicates_.contains(static_cast<unsigned>(n))) return "PT";
    if (is_address(n)) return "[RZ]";
    if (info_.sources == isa::source_kind::special_register) return "SRZ";
    if (info_.role == isa::issue_role::waits_for_counters && n == 0) return "SB0";
    const bool must_be_register =
        info_.sources == isa::source_kind::vector_register || is_address(0) || (info_.widths == width_rule::matrix_multiply && n <= addend);
    return must_be_register ? "RZ" : "0x0";
  }

  const isa::opcode_info& info_;
  const isa::modifiers& mods_;
  const isa::predicate_range predicates_;  ///< among the sources: predicates are not recorded
  const recorded_operands& recorded_;
  std::vector<std::uint8_t> registers_;  ///< of the sources that are not written yet
  std::vector<std::string> operands_;
};

}  // namespace

std::string instruction_text(const recorded_operands& recorded, isa::architecture arch) {
  const isa::source_text source(recorded.opcode, 1);
  const isa::mnemonic opcode = isa::parse_mnemonic(recorded.opcode, arch, source);
  const std::vector<std::string> operands = operand_writer(opcode, recorded).write();
  return fmt::format("{}{}{}", recorded.opcode, operands.empty() ? "" : " ", fmt::join(operands, ", "));
}

std::string shared_memory_opcode(const isa::instruction& generic) {
  const isa::memory_use use = isa::info(generic.op).memory;
  const bool load = use.action == isa::memory_action::load;
  if (use.space != isa::memory_space::generic || (!load && use.action != isa::memory_action::store)) return {};
  const unsigned bits = generic.mods.access_bits;
  std::string text = load ? "LDS" : "STS";
  if (bits < 32) return text + fmt::format(".{}{}", generic.mods.access_signed ? 'S' : 'U', bits);
  return bits == 32 ? text : text + fmt::format(".{}", bits);
}

}  // namespace tc::importers
