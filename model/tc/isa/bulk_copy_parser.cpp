// SPDX-License-Identifier: Apache-2.0
#include "bulk_copy_parser.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <tc/isa/ptx_statement.hpp>

namespace tc::isa {
namespace {

constexpr std::string_view cache_hint = "L2::cache_hint", byte_completion = "mbarrier::complete_tx::bytes";

// PTX ISA, cp.async.bulk and cp.async.bulk.tensor; a tensor map is an object of 64 bytes' alignment (CUDA driver API).
constexpr unsigned linear_alignment = 16, tensor_alignment = 128, map_alignment = 64;
constexpr unsigned first_im2col_rank = 3, im2col_bits = 16;

/// Reads one instruction from left to right.
class bulk_copy_reader {
 public:
  explicit bulk_copy_reader(ptx_statement& statement)
      : qualifiers_(statement.qualifiers), text_(statement.operands), source_(statement.source) {
    result_.tensor = statement.op == opcode::cp_async_bulk_tensor;
  }

  bulk_copy_operation read() {
    if (result_.tensor) read_rank();
    const std::string_view target = qualifiers_.require({"shared::cta", "shared::cluster", "global"});
    result_.to_shared = target != "global";
    if (result_.to_shared) {
      read_load(target);
    } else {
      read_store();
    }
    return result_;
  }

 private:
  void read_rank() {
    const std::string_view rank = qualifiers_.require({"1d", "2d", "3d", "4d", "5d"});
    result_.rank = static_cast<unsigned>(rank.front() - '0');
    rank_ = rank;
  }

  void read_load(std::string_view target) {
    const std::string_view from = qualifiers_.require({"global", "shared::cta"});
    if (from == "shared::cta") source_.fail(from, "copies to other CTAs of a cluster are not modelled; the source must be .global");
    std::string_view mode;
    if (result_.tensor) mode = qualifiers_.take({"tile", "im2col"});
    result_.im2col = mode == "im2col";
    if (result_.im2col && result_.rank < first_im2col_rank) source_.fail(rank_, "a tensor of .im2col has 3 to 5 dimensions");
    qualifiers_.require({byte_completion});
    if (const std::string_view multicast = qualifiers_.take({"multicast::cluster"}); !multicast.empty()) {
      source_.fail(multicast, "copies to other CTAs of a cluster are not modelled");
    }
    const bool hint = read_hint();
    const std::string name = fmt::format(".{}.global{}{}.{}", target, mode.empty() ? "" : ".", mode, byte_completion);
    if (result_.tensor) {
      read_tensor_load(name, hint);
    } else {
      ptx_operand_list operands(text_, form(name, "[shared], [global], bytes, [mbarrier]", hint), source_);
      take_shared(operands);
      take_global(operands);
      take_bytes(operands);
      take_barrier(operands);
      finish(operands, hint);
    }
  }

  void read_tensor_load(const std::string& name, bool hint) {
    const char* const offsets = result_.im2col ? ", {offsets}" : "";
    ptx_operand_list operands(text_, form(name, fmt::format("[shared], [map, {{coordinates}}], [mbarrier]{}", offsets), hint), source_);
    take_shared(operands);
    take_map(operands);
    take_barrier(operands);
    if (result_.im2col) take_im2col_offsets(operands);
    finish(operands, hint);
  }

  void read_store() {
    qualifiers_.require({"shared::cta"});
    if (result_.tensor) qualifiers_.take("tile");
    qualifiers_.require({"bulk_group"});
    const bool hint = read_hint();
    const std::string name = ".global.shared::cta.bulk_group";
    ptx_operand_list operands(text_, form(name, result_.tensor ? "[map, {coordinates}], [shared]" : "[global], [shared], bytes", hint),
                              source_);
    if (result_.tensor) {
      take_map(operands);
      take_shared(operands);
    } else {
      take_global(operands);
      take_shared(operands);
      take_bytes(operands);
    }
    finish(operands, hint);
  }

  bool read_hint() {
    const bool hint = qualifiers_.take(cache_hint);
    qualifiers_.finish();
    return hint;
  }

  std::string form(std::string_view name, std::string_view operands, bool hint) const {
    return fmt::format("cp.async.bulk{}{}{}{} {}{}", result_.tensor ? ".tensor." : "", rank_, name, hint ? ".L2::cache_hint" : "", operands,
                       hint ? ", policy" : "");
  }

  void take_shared(ptx_operand_list& operands) {
    result_.shared = operands.shared_address("the address in shared memory", result_.tensor ? tensor_alignment : linear_alignment);
  }

  void take_global(ptx_operand_list& operands) {
    result_.global = operands.global_address("the address in global memory", linear_alignment);
  }

  void take_barrier(ptx_operand_list& operands) { result_.barrier = operands.shared_address("the mbarrier's address", mbarrier_alignment); }

  void take_bytes(ptx_operand_list& operands) {
    constexpr std::string_view what = "the number of bytes";
    result_.bytes = static_cast<std::uint32_t>(operands.number(what, linear_alignment, std::numeric_limits<std::uint32_t>::max()));
    if (result_.bytes % linear_alignment != 0) {
      operands.fail(fmt::format("{} is {}; it must be a multiple of {}", what, result_.bytes, linear_alignment));
    }
  }

  /// [map, {c0, c1}]
  void take_map(ptx_operand_list& operands) {
    ptx_operand_list inside = operands.bracketed("the tensor map with its coordinates");
    result_.map = inside.number("the tensor map's address", 0, std::numeric_limits<std::uint64_t>::max());
    if (result_.map % map_alignment != 0) {
      inside.fail(fmt::format("the tensor map's address is {:#x}; it must be a multiple of {}", result_.map, map_alignment));
    }
    using limits = std::numeric_limits<std::int32_t>;
    ptx_operand_list coordinates = inside.braced("the list of coordinates");
    for (unsigned d = 0; d < result_.rank; ++d) {
      result_.coordinates.at(d) =
          static_cast<std::int32_t>(coordinates.signed_number(fmt::format("coordinate {}", d), limits::min(), limits::max()));
    }
    coordinates.finish();
    inside.finish();
  }

  /// {w}, {w, h} or {w, h, d}, which share 16 bits.
  void take_im2col_offsets(ptx_operand_list& operands) {
    const unsigned offsets = result_.rank - 2;
    const std::uint64_t most = (std::uint64_t{1} << im2col_bits / offsets) - 1;
    ptx_operand_list inside = operands.braced("the list of im2col offsets");
    for (unsigned d = 0; d < offsets; ++d) {
      result_.im2col_offsets.at(d) = static_cast<std::uint16_t>(inside.number(fmt::format("im2col offset {}", d), 0, most));
    }
    inside.finish();
  }

  /// The cache policy of .L2::cache_hint, which says nothing about what is copied.
  static void finish(ptx_operand_list& operands, bool hint) {
    if (hint) operands.number("the cache policy", 0, std::numeric_limits<std::uint64_t>::max());
    operands.finish();
  }

  qualifier_list& qualifiers_;
  std::string_view text_, rank_;
  const source_text& source_;
  bulk_copy_operation result_;
};

}  // namespace

bulk_copy_operation parse_bulk_copy(ptx_statement& statement) { return bulk_copy_reader(statement).read(); }

}  // namespace tc::isa
