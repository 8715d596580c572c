// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include <boost/endian/conversion.hpp>
#include <fmt/format.h>

#include <tc/execution/access_request.hpp>
#include <tc/execution/cta_state.hpp>
#include <tc/execution/instruction_text.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/lanes/matrix_8x8.hpp>

namespace tc::execution {

namespace {

using address_array = std::array<std::uint64_t, warp::lanes_per_warp>;
using isa::memory_space;

constexpr unsigned matrix_rows = 8, matrix_row_bytes = 16;

/// Finds the bytes of accesses, or says what is wrong with them.
class access_finder {
 public:
  access_finder(warp_state& warp, const operation& op, memory_space space, unsigned bytes, bool writes)
      : warp_(warp), op_(op), space_(space), bytes_(bytes), writes_(writes) {}

  std::uint8_t* operator()(unsigned lane, std::uint64_t address) const {
    if ((address & (bytes_ - 1U)) != 0) fail(lane, address, fmt::format("it is no multiple of the {} bytes of the access", bytes_));
    switch (space_) {
      case memory_space::shared:
        return in_shared(lane, static_cast<std::uint32_t>(address));
      case memory_space::local:
        return in_local(lane, static_cast<std::uint32_t>(address));
      case memory_space::generic:
        if (address - shared_window < window_bytes) return in_shared(lane, static_cast<std::uint32_t>(address - shared_window));
        if (address - local_window < window_bytes) return in_local(lane, static_cast<std::uint32_t>(address - local_window));
        return in_global(lane, address);
      default:
        return in_global(lane, address);
    }
  }

 private:
  [[noreturn]] void fail(unsigned lane, std::uint64_t address, const std::string& what) const {
    warp_.fail(op_, lane, fmt::format("address {:#x}: {}", address, what));
  }

  std::uint8_t* in_global(unsigned lane, std::uint64_t address) const {
    global_memory& memory = warp_.cta().setting().memory;
    std::uint8_t* const found = writes_ ? memory.write(address, bytes_) : memory.read(address, bytes_);
    if (found == nullptr) fail(lane, address, fmt::format("it is outside of all allocations; {}", memory.nearest(address)));
    return found;
  }

  /// Bits 31:24 are the CTA's rank in its cluster.
  std::uint8_t* in_shared(unsigned lane, std::uint32_t address) const {
    constexpr unsigned rank_shift = 24;
    cta_state& cta = warp_.cta();
    const std::uint32_t rank = address >> rank_shift, offset = address & ((1U << rank_shift) - 1);
    if (rank != 0 && rank != warp_.context().cluster_rank) fail(lane, address, "shared memory of another CTA is not executed");
    if (std::uint64_t{offset} + bytes_ > cta.shared_bytes())
      fail(lane, address, fmt::format("it is outside of the {} bytes of shared memory that the launch has", cta.shared_bytes()));
    return cta.shared() + offset;
  }

  std::uint8_t* in_local(unsigned lane, std::uint32_t address) const {
    const std::uint64_t begin = warp_.cta().local_begin();
    if (address < begin || address + bytes_ > window_bytes)
      fail(lane, address, fmt::format("it is outside of local memory, of which a thread has {:#x} to {:#x}", begin, window_bytes));
    return warp_.cta().local(warp_.context().warp_in_cta, lane) + (address - begin);
  }

  warp_state& warp_;
  const operation& op_;
  memory_space space_;
  unsigned bytes_;
  bool writes_;
};

std::uint32_t loaded(const std::uint8_t* from, unsigned bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{from[i]} << 8 * i;
  return value;
}

template <class Visit>
void for_lanes(std::uint32_t mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(__builtin_ctz(mask)));
}

/// The memory operand number `which`.
const isa::memory_reference& memory_operand(const warp_state& warp, const operation& op, unsigned which = 0) {
  for (unsigned s = 0; s < op.code->source_count; ++s)
    if (op.code->sources[s].what == isa::operand::kind::memory && which-- == 0) return op.code->sources[s].memory;
  warp.fail(op, "the instruction has no address");
}

memory_space space_of(const operation& op) { return isa::info(op.code->op).memory.space; }

}  // namespace

namespace {

/// The lanes in which all predicates among the sources from number `first` on hold.
std::uint32_t lanes_where_predicates_hold(const warp_state& warp, const operation& op, unsigned first, std::uint32_t mask) {
  for (unsigned s = first; s < op.code->source_count; ++s)
    if (op.code->sources[s].is_predicate()) mask &= warp.predicate(op, s);
  return mask;
}

/// The registers of an operand, which may be an immediate or a constant.
void take_values(const warp_state& warp, const operation& op, unsigned s, unsigned words, access_request::register_values& values) {
  if (s >= op.code->source_count) return;
  const isa::operand& operand = op.code->sources[s];
  if (!operand.is_register(isa::register_file::vector)) {
    warp::lane_vector low, high;
    values = {};
    values[0] = *warp.source(op, s, low, high).low;
  } else if (operand.index == isa::zero_register) {
    values = {};
  } else {
    std::copy_n(warp.registers().vector.begin() + operand.index, words, values.begin());
  }
}

unsigned words_of(unsigned bytes) { return (bytes + 3) / 4; }

void begin(const operation& op, std::uint32_t mask, access_request& request) {
  request.op = &op;
  request.mask = request.lanes = mask;
}

/// A predicate behind the address says where there is a load at all; elsewhere the result is zero.
void issue_load(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request) {
  begin(op, mask, request);
  warp.addresses(memory_operand(warp, op), request.addresses);
  request.lanes = lanes_where_predicates_hold(warp, op, 1, mask);
}

void perform_load(warp_state& warp, access_request& request) {
  const operation& op = *request.op;
  const isa::instruction& code = *op.code;
  const unsigned bytes = op.access_bytes, words = words_of(bytes);
  const access_finder find(warp, op, space_of(op), bytes, false);
  std::array<warp::lane_vector, 4> values;
  if (request.lanes != request.mask) values = {};
  for_lanes(request.lanes, [&](unsigned lane) {
    const std::uint8_t* const from = find(lane, request.addresses[lane]);
    if (bytes >= 4) {
      for (unsigned i = 0; i < words; ++i) values[i][lane] = boost::endian::load_little_u32(from + 4 * i);
    } else {
      const std::uint32_t value = loaded(from, bytes), sign = 1U << (8 * bytes - 1);
      values[0][lane] = code.mods.access_signed ? (value ^ sign) - sign : value;
    }
  });
  for (unsigned i = 0; i < words; ++i) warp.write(code.destinations[0], i, values[i], request.mask);
}

void issue_store(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request) {
  begin(op, mask, request);
  warp.addresses(memory_operand(warp, op), request.addresses);
  take_values(warp, op, 1, words_of(op.access_bytes), request.data);
}

void perform_store(warp_state& warp, access_request& request) {
  const operation& op = *request.op;
  const unsigned bytes = op.access_bytes;
  const access_finder find(warp, op, space_of(op), bytes, true);
  for_lanes(request.lanes, [&](unsigned lane) {
    std::uint8_t* const to = find(lane, request.addresses[lane]);
    if (bytes >= 4) {
      for (unsigned i = 0; i < bytes / 4; ++i) boost::endian::store_little_u32(to + 4 * i, request.data[i][lane]);
    } else {
      for (unsigned i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(request.data[0][lane] >> 8 * i);
    }
  });
}

/// LDGSTS, of 4, 8 or 16 bytes. Where its predicate is false, zeros come in the place of the bytes (PTX ISA, cp.async, ignore-src).
void issue_copy(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request) {
  begin(op, mask, request);
  warp.addresses(memory_operand(warp, op, 0), request.addresses);
  warp.addresses(memory_operand(warp, op, 1), request.sources);
  request.lanes = lanes_where_predicates_hold(warp, op, 2, mask);
}

void perform_copy(warp_state& warp, access_request& request) {
  const operation& op = *request.op;
  const access_finder find(warp, op, memory_space::global, op.access_bytes, false);
  request.data = {};
  for_lanes(request.lanes, [&](unsigned lane) {
    const std::uint8_t* const from = find(lane, request.sources[lane]);
    for (unsigned i = 0; i < words_of(op.access_bytes); ++i) request.data[i][lane] = boost::endian::load_little_u32(from + 4 * i);
  });
}

void arrive_in_shared(warp_state& warp, const access_request& request) {
  const operation& op = *request.op;
  const access_finder find(warp, op, memory_space::shared, op.access_bytes, true);
  for_lanes(request.mask, [&](unsigned lane) {
    std::uint8_t* const to = find(lane, request.addresses[lane]);
    for (unsigned i = 0; i < words_of(op.access_bytes); ++i) boost::endian::store_little_u32(to + 4 * i, request.data[i][lane]);
  });
}

/// LDSM: lane 8 m + r names row r of matrix m.
void issue_matrix_load(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request) {
  begin(op, mask, request);
  warp.addresses(memory_operand(warp, op), request.addresses);
}

void perform_matrix_load(warp_state& warp, access_request& request) {
  const operation& op = *request.op;
  const isa::modifiers& mods = op.code->mods;
  const access_finder find(warp, op, memory_space::shared, matrix_row_bytes, false);
  std::array<warp::lane_vector, 4> values;
  for (unsigned m = 0; m < mods.matrices; ++m) {
    for (unsigned row = 0; row < matrix_rows; ++row) {
      const unsigned lane = m * matrix_rows + row;
      std::memcpy(&values[m][row * 4], find(lane, request.addresses[lane]), matrix_row_bytes);
    }
    for (std::uint32_t& word : values[m]) boost::endian::little_to_native_inplace(word);
    if (mods.transpose) values[m] = lanes::to_lanes(lanes::from_lanes(values[m], false), true);
  }
  for (unsigned m = 0; m < mods.matrices; ++m) warp.write(op.code->destinations[0], m, values[m], request.mask);
}

void issue_matrix_store(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request) {
  begin(op, mask, request);
  warp.addresses(memory_operand(warp, op), request.addresses);
  take_values(warp, op, 1, op.code->mods.matrices, request.data);
}

void perform_matrix_store(warp_state& warp, access_request& request) {
  const operation& op = *request.op;
  const isa::modifiers& mods = op.code->mods;
  const access_finder find(warp, op, memory_space::shared, matrix_row_bytes, true);
  for (unsigned m = 0; m < mods.matrices; ++m) {
    warp::lane_vector value = request.data[m];
    if (mods.transpose) value = lanes::to_lanes(lanes::from_lanes(value, true), false);
    for (std::uint32_t& word : value) boost::endian::native_to_little_inplace(word);
    for (unsigned row = 0; row < matrix_rows; ++row) {
      const unsigned lane = m * matrix_rows + row;
      std::memcpy(find(lane, request.addresses[lane]), &value[row * 4], matrix_row_bytes);
    }
  }
}

/// ATOM, ATOMG, ATOMS, RED.
void issue_atomic(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request) {
  begin(op, mask, request);
  warp.addresses(memory_operand(warp, op), request.addresses);
  const unsigned words = words_of(op.atomic->bytes());
  request.data = request.replacement = {};
  take_values(warp, op, 1, words, request.data);
  take_values(warp, op, 2, words, request.replacement);
}

/// The bytes of an operand in one lane.
std::array<std::uint8_t, 16> operand_bytes(const access_request::register_values& values, unsigned lane) {
  std::array<std::uint8_t, 16> result;
  for (unsigned i = 0; i < values.size(); ++i) boost::endian::store_little_u32(&result[4 * i], values[i][lane]);
  return result;
}

/// Lane by lane, the lowest first.
void perform_atomic(warp_state& warp, access_request& request) {
  const operation& op = *request.op;
  const isa::instruction& code = *op.code;
  const lanes::atomic_arithmetic& atomic = *op.atomic;
  const unsigned bytes = atomic.bytes();
  const memory_space space = space_of(op);
  const access_finder find(warp, op, space, bytes, true), find_old(warp, op, space, bytes, false);
  std::array<warp::lane_vector, 4> old{};
  std::uint32_t stored = request.lanes;
  for_lanes(request.lanes, [&](unsigned lane) {
    std::uint8_t* const at = find(lane, request.addresses[lane]);
    if (space != memory_space::shared) find_old(lane, request.addresses[lane]);
    std::array<std::uint8_t, 16> before{};
    std::memcpy(before.data(), at, bytes);
    const auto operand = operand_bytes(request.data, lane), replacement = operand_bytes(request.replacement, lane);
    const bool has_written = atomic.perform(at, operand.data(), replacement.data());
    if (!has_written) stored &= ~(1U << lane);
    for (unsigned i = 0; i < words_of(bytes); ++i) old[i][lane] = boost::endian::load_little_u32(&before[4 * i]);
    if (atomic.tells_whether_written()) {
      old[0][lane] = has_written ? 1 : 0;
      old[1][lane] = 0;
    }
  });
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& destination = code.destinations[d];
    if (destination.file == isa::register_file::predicate) {
      warp.write_predicate(destination, stored, request.mask);
    } else {
      for (unsigned i = 0; i < words_of(bytes); ++i) warp.write(destination, i, old[i], request.mask);
    }
  }
}

}  // namespace

const access_parts* find_access(const operation& op) {
  if (isa::unit_of(op.code->op) == isa::execution_unit::constant_load) return nullptr;
  static constexpr access_parts load{issue_load, perform_load}, store{issue_store, perform_store},
      copy{issue_copy, perform_copy, arrive_in_shared}, matrix_load{issue_matrix_load, perform_matrix_load},
      matrix_store{issue_matrix_store, perform_matrix_store}, atomic{issue_atomic, perform_atomic};
  using isa::memory_action;
  switch (isa::info(op.code->op).memory.action) {
    case memory_action::load:
      return &load;
    case memory_action::store:
      return &store;
    case memory_action::copy:
      return &copy;
    case memory_action::load_matrix:
      return &matrix_load;
    case memory_action::store_matrix:
      return &matrix_store;
    case memory_action::atomic:
      return op.atomic ? &atomic : nullptr;
    default:
      return nullptr;
  }
}

void steps::access_at_once(warp_state& warp, const operation& op, std::uint32_t mask) {
  access_request& request = warp.cta().request();
  op.access->issue(warp, op, mask, request);
  op.access->perform(warp, request);
  if (op.access->arrive != nullptr) op.access->arrive(warp, request);
}

void steps::transpose_matrix(warp_state& warp, const operation& op, std::uint32_t mask) {
  warp::lane_vector store;
  const lanes::matrix_8x8 matrix = lanes::from_lanes(warp.word(op, 0, store), false);
  warp.write(op.code->destinations[0], 0, lanes::to_lanes(matrix, op.code->mods.transpose), mask);
}

/// QSPC: whether an address is in the window of shared (.S, .D with that of other CTAs) or of local memory (.L), or in neither (.G).
void steps::query_space(warp_state& warp, const operation& op, std::uint32_t mask) {
  address_array addresses;
  warp.addresses(memory_operand(warp, op), addresses);
  const bool asks_for_shared = has_suffix(*op.code, "S") || has_suffix(*op.code, "D"), asks_for_local = has_suffix(*op.code, "L");
  std::uint32_t holds = 0;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const bool in_shared = addresses[lane] - shared_window < window_bytes, in_local = addresses[lane] - local_window < window_bytes;
    if (asks_for_shared ? in_shared : asks_for_local ? in_local : !in_shared && !in_local) holds |= 1U << lane;
  }
  for (unsigned d = 0; d < op.code->destination_count; ++d) {
    const isa::operand& destination = op.code->destinations[d];
    if (destination.file == isa::register_file::predicate)
      warp.write_predicate(destination, holds, mask);
    else if (destination.index != isa::zero_register)
      warp.fail(op, "QSPC with a register is not executed");
  }
}

}  // namespace tc::execution
