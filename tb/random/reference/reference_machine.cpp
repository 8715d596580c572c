// SPDX-License-Identifier: Apache-2.0
#include "reference_machine.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/special_register.hpp>

#include "barrier_reference.hpp"
#include "matrix_reference.hpp"
#include "memory_reference.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;
namespace trace = tc::trace;

namespace {

std::vector<std::uint8_t> bytes_of(const trace::memory_content& content) {
  std::vector<std::uint8_t> bytes(content.bytes());
  content.copy(0, bytes.data(), bytes.size());
  return bytes;
}

/// One CTA, from its start to its end.
class cta_run {
 public:
  cta_run(const trace::trace& trace, const trace::cta_entry& cta, const tc::config::machine& machine, global_bytes& global);

  void run() {
    bool moves = true;
    while (moves) {
      moves = false;
      for (unsigned warp = 0; warp < warps_.size(); ++warp) moves = advance(warp) || moves;
      moves = open_barriers() || moves;
    }
    for (const warp_run& warp : warps_)
      if (!warp.has_ended) throw not_executed("a warp of the reference waits for ever");
  }

 private:
  struct warp_run {
    explicit warp_run(trace::warp_player&& steps) : player(std::move(steps)) {}

    trace::warp_player player;
    warp_state state;
    std::optional<trace::step> next;       ///< what the warp waits to execute
    std::optional<std::uint32_t> barrier;  ///< the CTA's barrier at which it waits
    bool has_ended = false;
  };

  /// Executes up to where the warp must wait; false if nothing was executed.
  bool advance(unsigned number);
  bool open_barriers();
  /// False if the warp must wait and come back.
  bool execute(warp_run& warp, const trace::step& step);
  bool execute_asynchronous(warp_run& warp, const trace::step& step);
  void copy(const isa::bulk_copy_operation& copy);
  std::uint32_t special_value(isa::special_register which, std::uint32_t thread) const;
  bool read_special(warp_run& warp, const trace::step& step) const;
  bool load_constant(warp_run& warp, const trace::step& step) const;

  const trace::kernel_header& header_;
  trace::cta_entry cta_;
  const tc::config::arithmetic_parameters& arithmetic_;
  global_bytes& global_;
  std::vector<std::uint8_t> shared_, constants_;
  barrier_objects barriers_;
  std::array<std::vector<isa::barrier_arrival>, isa::barrier_arrival::barriers> arrivals_;  ///< at the barriers of the CTA
  std::vector<warp_run> warps_;
};

cta_run::cta_run(const trace::trace& trace, const trace::cta_entry& cta, const tc::config::machine& machine, global_bytes& global)
    : header_(trace.header()),
      cta_(cta),
      arithmetic_(machine.sm.sub_core.tensor_core.arithmetic),
      global_(global),
      shared_(header_.shared_bytes) {
  for (const trace::memory_image& image : header_.shared_memory) {
    const std::vector<std::uint8_t> bytes = bytes_of(image.content);
    std::copy(bytes.begin(), bytes.end(), shared_.begin() + static_cast<std::ptrdiff_t>(image.base));
  }
  for (const trace::constant_image& image : header_.constants) {
    if (image.bank != 0) throw not_executed("a constant bank");
    const std::vector<std::uint8_t> bytes = bytes_of(image.content);
    constants_.resize(std::max<std::size_t>(constants_.size(), image.offset + bytes.size()));
    std::copy(bytes.begin(), bytes.end(), constants_.begin() + static_cast<std::ptrdiff_t>(image.offset));
  }
  for (std::uint32_t warp = 0; warp < cta.warp_count; ++warp) {
    warp_run& run = warps_.emplace_back(trace.play(cta, warp));
    run.state.constants = &constants_;
    for (const trace::register_preset& preset : run.player.presets()) {
      if (preset.file != isa::register_file::vector) throw not_executed("a preset of another file");
      run.state.registers.at(preset.index) = preset.values;
    }
  }
}

bool cta_run::advance(unsigned number) {
  warp_run& warp = warps_[number];
  bool moves = false;
  while (!warp.has_ended && !warp.barrier) {
    if (!warp.next) {
      trace::step step;
      warp.has_ended = !warp.player.next(step);
      if (warp.has_ended) return true;
      warp.next = step;
    }
    if (!execute(warp, *warp.next)) break;
    warp.next.reset();
    moves = true;
  }
  return moves;
}

/// Those at which as many warps have arrived as they are for, or all that have not ended.
bool cta_run::open_barriers() {
  bool any = false;
  for (unsigned number = 0; number < arrivals_.size(); ++number) {
    std::vector<isa::barrier_arrival>& arrivals = arrivals_[number];
    if (arrivals.empty()) continue;
    const auto waits_here = [number](const warp_run& warp) { return warp.barrier == number; };
    const unsigned expected = arrivals.front().warps;
    const bool opens =
        expected != 0 ? arrivals.size() == expected
                      : std::all_of(warps_.begin(), warps_.end(), [&](const warp_run& warp) { return warp.has_ended || waits_here(warp); });
    if (!opens) continue;
    for (warp_run& warp : warps_)
      if (waits_here(warp)) warp.barrier.reset();
    arrivals.clear();
    any = true;
  }
  return any;
}

void cta_run::copy(const isa::bulk_copy_operation& copy) {
  const std::uint32_t bytes = copy.tensor ? copy_box(copy, *header_.find_tensor_map(copy.map), global_, shared_) : copy.bytes;
  for (std::uint32_t i = 0; !copy.tensor && i < bytes; ++i) {
    std::uint8_t& shared = shared_.at(copy.shared + i);
    std::uint8_t& global = global_.at(copy.global + i);
    (copy.to_shared ? shared : global) = copy.to_shared ? global : shared;
  }
  if (copy.to_shared) barriers_.complete(copy.barrier, bytes);
}

bool cta_run::execute_asynchronous(warp_run& warp, const trace::step& step) {
  const isa::asynchronous_operation& operation = *step.code->asynchronous;
  if (step.mask == 0) return true;
  if (const auto* const barrier = std::get_if<isa::barrier_operation>(&operation)) {
    if (barrier->action == isa::barrier_action::wait) return barriers_.is_open(barrier->address, barrier->parity);
    barriers_.execute(*barrier, static_cast<unsigned>(__builtin_popcount(step.mask)));
  } else if (const auto* const bulk = std::get_if<isa::bulk_copy_operation>(&operation)) {
    copy(*bulk);
  } else if (const auto* const wgmma = std::get_if<isa::wgmma_operation>(&operation)) {
    multiply_shared(*wgmma, warp.player.warp() % 4, shared_, arithmetic_, warp.state);
  } else if (!std::holds_alternative<isa::async_control_operation>(operation)) {
    throw not_executed(step.code->text);
  }
  return true;
}

/// Of a thread of the CTA (PTX ISA, "Special Registers").
std::uint32_t cta_run::special_value(isa::special_register which, std::uint32_t thread) const {
  using reg = isa::special_register;
  const trace::dim3 &block = header_.block, &cluster = header_.cluster;
  const std::uint32_t lane = thread % lanes, this_lane = 1U << lane, below = this_lane - 1;
  switch (which) {
    case reg::zero:
      return 0;
    case reg::tid_x:
      return thread % block.x;
    case reg::tid_y:
      return thread / block.x % block.y;
    case reg::tid_z:
      return thread / (block.x * block.y);
    case reg::ctaid_x:
      return cta_.x;
    case reg::ctaid_y:
      return cta_.y;
    case reg::ctaid_z:
      return cta_.z;
    case reg::lane_id:
      return lane;
    case reg::lane_mask_eq:
      return this_lane;
    case reg::lane_mask_lt:
      return below;
    case reg::lane_mask_le:
      return this_lane + below;
    case reg::lane_mask_gt:
      return ~(this_lane + below);
    case reg::lane_mask_ge:
      return ~below;
    case reg::cluster_cta_id:
      return cta_.x % cluster.x + cluster.x * (cta_.y % cluster.y + cluster.y * (cta_.z % cluster.z));
    default:
      throw not_executed("a special register");
  }
}

bool cta_run::read_special(warp_run& warp, const trace::step& step) const {
  const isa::instruction& code = *step.code;
  if (code.source_count == 0 || code.sources[0].what != isa::operand::kind::special) return false;
  const auto which = static_cast<isa::special_register>(code.sources[0].index);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((step.mask >> lane & 1U) == 0) continue;
    const std::uint32_t value = special_value(which, warp.player.warp() * lanes + lane);
    lane_view view(code, warp.state, lane);
    for (unsigned part = 0; part < code.destinations[0].count; ++part) view.give(part == 0 ? value : 0, part);
  }
  return true;
}

bool cta_run::load_constant(warp_run& warp, const trace::step& step) const {
  const isa::instruction& code = *step.code;
  if (isa::info(code.op).memory.space != isa::memory_space::constant) return false;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((step.mask >> lane & 1U) == 0) continue;
    lane_view view(code, warp.state, lane);
    for (unsigned part = 0; part < code.destinations[0].count; ++part) view.give(view.bits(0, part), part);
  }
  return true;
}

bool cta_run::execute(warp_run& warp, const trace::step& step) {
  const isa::instruction& code = *step.code;
  if (code.asynchronous) return execute_asynchronous(warp, step);
  if (code.op == isa::opcode::bar) {
    const isa::barrier_arrival arrival = isa::arrival_of(code);
    if (arrival.waits) warp.barrier = arrival.barrier;
    arrivals_[arrival.barrier].push_back(arrival);
    return true;
  }
  if (isa::info(code.op).role == isa::issue_role::exits || isa::info(code.op).role == isa::issue_role::ends_at_issue) return true;
  if (code.mma) {
    if (step.mask != 0) multiply_registers(code, arithmetic_, warp.state);
    return true;
  }
  if (read_special(warp, step) || load_constant(warp, step) || execute_memory(step, global_, shared_, warp.state)) return true;
  if (execute_integer(code, step.mask, warp.state) || execute_bits(code, step.mask, warp.state) ||
      execute_float(code, step.mask, warp.state))
    return true;
  throw not_executed("the reference does not execute " + code.text);
}

}  // namespace

void execute(const trace::trace& trace, const tc::config::machine& machine, global_bytes& global) {
  for (const trace::memory_image& image : trace.header().memory) global.add(image.base, bytes_of(image.content));
  for (const trace::cta_entry& cta : trace.ctas()) cta_run(trace, cta, machine, global).run();
}

}  // namespace tcsim::random_programs
