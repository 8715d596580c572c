// SPDX-License-Identifier: Apache-2.0
#include "streaming_multiprocessor.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/device/trace_content.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::device {

namespace {

warp::coordinates coordinates_of(const trace::dim3& extents) { return {extents.x, extents.y, extents.z}; }

memory::shared_memory::params shared_memory_params(const streaming_multiprocessor::params& parameters) {
  const config::jitter_parameters& jitter = parameters.jitter;
  return {parameters.machine.shared_memory, parameters.data, fabric::jitter(jitter.ties ? jitter.seed : 0)};
}

std::unique_ptr<engine::barrier_unit> make_barrier_unit(const streaming_multiprocessor::params& parameters, fabric::clock_domain& clock) {
  if (!parameters.asynchronous) return nullptr;
  const engine::barrier_unit::params unit{parameters.machine.barrier_unit, parameters.data};
  return std::make_unique<engine::barrier_unit>("barrier_unit", unit, clock);
}

std::unique_ptr<engine::bulk_copy_engine> make_bulk_copy(const streaming_multiprocessor::params& parameters, fabric::clock_domain& clock) {
  if (!parameters.asynchronous) return nullptr;
  const engine::bulk_copy_engine::params engine{parameters.machine.bulk_copy, parameters.machine.shared_memory, parameters.global_memory,
                                                parameters.data};
  return std::make_unique<engine::bulk_copy_engine>("bulk_copy", engine, clock);
}

std::unique_ptr<engine::warpgroup_feed> make_feed(const streaming_multiprocessor::params& parameters, fabric::clock_domain& clock) {
  if (!parameters.machine.warpgroup.is_there()) return nullptr;
  const engine::warpgroup_feed::params feed{parameters.machine, parameters.data};
  return std::make_unique<engine::warpgroup_feed>("warpgroup_feed", feed, clock);
}

std::unique_ptr<tensor_memory_system> make_tensor_memory(const std::string& path, const streaming_multiprocessor::params& parameters,
                                                         fabric::clock_domain& clock) {
  if (!parameters.asynchronous || !parameters.machine.tensor_memory.is_there()) return nullptr;
  const tensor_memory_system::params system{parameters.machine, path, parameters.number, parameters.data, parameters.units.tensor_memory};
  return std::make_unique<tensor_memory_system>(system, clock);
}

fabric::tag_array::shape shape_of(const config::cache_parameters& cache) {
  return {cache.sets(), cache.ways, cache.line_bytes, cache.sector_bytes};
}

std::vector<unsigned> members(warp_set warps) {
  std::vector<unsigned> list;
  for (unsigned warp = 0; warp < 32; ++warp)
    if ((warps >> warp & 1u) != 0) list.push_back(warp);
  return list;
}

std::string list_of(warp_set warps) { return fmt::format("{}", fmt::join(members(warps), ", ")); }

}  // namespace

streaming_multiprocessor::streaming_multiprocessor(const sc_core::sc_module_name& module_name, const params& parameters,
                                                   fabric::clock_domain& clock, accounting::run_recorder& recorder,
                                                   links::link_binder& binder)
    : sc_module(module_name),
      params_(parameters),
      recorder_(recorder),
      clock_(clock),
      shared_memory_("shared_memory", shared_memory_params(parameters)),
      barrier_unit_(make_barrier_unit(parameters, clock)),
      bulk_copy_(make_bulk_copy(parameters, clock)),
      warpgroup_feed_(make_feed(parameters, clock)),
      tensor_memory_(make_tensor_memory(name(), parameters, clock)),
      instruction_tags_(shape_of(parameters.machine.sub_core.fetch.l1)),
      constant_tags_(shape_of(parameters.machine.sub_core.constant_cache.l15)),
      contexts_(parameters.machine.sub_cores, std::vector<warp::warp_context>(sm_occupancy::warp_slots(parameters.machine))),
      ctas_(parameters.machine.max_ctas),
      occupancy_(params_.machine) {
  for (unsigned s = 0; s < parameters.machine.sub_cores; ++s) feeds_.emplace_back(sm_occupancy::warp_slots(parameters.machine), *this);
  const subcore::shared_tags tags{instruction_tags_, constant_tags_};
  sub_core_.init(parameters.machine.sub_cores, [&](const char* child, std::size_t s) {
    return new subcore::sub_core(child, sub_core_params(static_cast<unsigned>(s)), tags, clock, binder);
  });
  bind(binder, recorder);
}

streaming_multiprocessor::~streaming_multiprocessor() = default;

subcore::sub_core::params streaming_multiprocessor::sub_core_params(unsigned number) const {
  subcore::sub_core::params child;
  child.machine = params_.machine.sub_core;
  child.shared_memory = params_.machine.shared_memory;
  child.global_memory = params_.global_memory;
  child.jitter = params_.jitter;
  child.warpgroup = params_.machine.warpgroup;
  if (params_.asynchronous) child.tensor_memory = params_.machine.tensor_memory;
  child.tensor_engine = params_.machine.tensor_engine;
  child.asynchronous = params_.asynchronous;
  child.warp_slots = sm_occupancy::warp_slots(params_.machine);
  child.interlock = params_.interlock;
  child.data = params_.data;
  child.units = {params_.units, {params_.number, number, 0}};
  child.plans = params_.plans;
  return child;
}

void streaming_multiprocessor::bind(links::link_binder& binder, accounting::run_recorder& recorder) {
  for (unsigned s = 0; s < sub_cores(); ++s) {
    sub_core_[s].stream.bind(feeds_[s]);
    sub_core_[s].supervisor.bind(*this);
    sub_core_[s].observer.bind(recorder);
    bind_shared(binder, sub_core_[s].shared_memory());
  }
  if (barrier_unit_ != nullptr) bind_asynchronous(binder, recorder);
  if (warpgroup_feed_ != nullptr) bind_warpgroups(binder, recorder);
  if (tensor_memory_ != nullptr) {
    tensor_memory_->bind({sub_core_, *barrier_unit_, recorder, *this}, binder);
    for (links::shared_memory_initiator* const each : tensor_memory_->shared_memory_links()) bind_shared(binder, *each);
  }
  bind_shared(binder, probe_);
}

/// To the SM's own shared memory, or to another one behind an adapter.
void streaming_multiprocessor::bind_shared(links::link_binder& binder, links::shared_memory_initiator& from) {
  links::link_target<links::link_binder::memory_protocol>* const foreign = binder.foreign_shared_memory(from.name());
  if (foreign == nullptr) return binder.bind("shared_memory", from, shared_memory_.port);
  const std::string name = sc_core::sc_gen_unique_name("shared_memory_adapter");
  adapters_.push_back(std::make_unique<memory::shared_memory_adapter>(name.c_str(), params_.data, clock_));
  binder.bind("shared_memory", from, adapters_.back()->port);
  binder.bind("shared_memory", adapters_.back()->memory, *foreign);
}

void streaming_multiprocessor::bind_asynchronous(links::link_binder& binder, accounting::run_recorder& recorder) {
  for (unsigned s = 0; s < sub_cores(); ++s) {
    binder.bind("barrier", sub_core_[s].asynchronous()->barrier, barrier_unit_->barrier);
    binder.bind("bulk_copy", sub_core_[s].asynchronous()->bulk_copy, bulk_copy_->bulk_copy);
  }
  binder.bind("barrier", bulk_copy_->barrier, barrier_unit_->barrier);
  bulk_copy_->observer.bind(recorder);
  bind_shared(binder, barrier_unit_->shared);
  bind_shared(binder, bulk_copy_->shared);
}

void streaming_multiprocessor::bind_warpgroups(links::link_binder& binder, accounting::run_recorder& recorder) {
  for (unsigned s = 0; s < sub_cores(); ++s) {
    subcore::warpgroup_unit& unit = *sub_core_[s].warpgroup();
    binder.bind("warpgroup_request", unit.request, warpgroup_feed_->request);
    binder.bind("warpgroup_operands", warpgroup_feed_->operands[s], unit.operands);
    warpgroup_feed_->tensor_cores[s].bind(sub_core_[s].tensor_core_turns());
  }
  warpgroup_feed_->observer.bind(recorder);
  bind_shared(binder, warpgroup_feed_->shared_memory);
}

void streaming_multiprocessor::bind_pair(streaming_multiprocessor& other) {
  if (tensor_memory_ != nullptr) tensor_memory_->bind_pair(*other.tensor_memory_);
}

void streaming_multiprocessor::bind_cluster(links::cluster_barriers& barriers) {
  if (tensor_memory_ != nullptr) tensor_memory_->bind_cluster(barriers);
}

void streaming_multiprocessor::launch(const kernel& kernel, const trace::cta_entry& cta, cycle_t first) {
  const sm_occupancy::place place = occupancy_.take(kernel.demand());
  resident_cta& resident = ctas_[place.cta_slot];
  resident = {};
  resident.of = &kernel;
  resident.number = kernel.linear_number(cta);
  resident.launch = ++ctas_launched_;
  resident.place = {kernel.number(), place.shared_base, kernel.header().shared_bytes};
  resident.barrier = cta_barrier(kernel.demand().warps);
  resident.warps_left = cta.warp_count;
  resident.drained = first;
  load_shared_memory(kernel, place.shared_base);
  if (barrier_unit_ != nullptr) barrier_unit_->begin_region(place.shared_base, kernel.header().shared_bytes);

  std::vector<const warp::warp_context*> admitted;
  for (std::uint32_t i = 0; i < cta.warp_count; ++i) {
    std::optional<trace::warp_player> player = play_warp(*this, kernel, cta, i, resident.traced, params_.number);
    if (!player) {
      --resident.warps_left;
      continue;
    }
    admitted.push_back(&admit(std::move(*player), kernel, cta, place));
    resident.warps[admitted.back()->warp_in_cta] = admitted.back();
    resident.traced |= warp_set{1} << admitted.back()->warp_in_cta;
  }
  warps_launched_ += admitted.size();
  for (const warp::warp_context* warp : admitted) sub_core_[sub_core_of(*warp)].control->launch(*warp, first);
  if (admitted.empty()) finish(place.cta_slot);
}

void streaming_multiprocessor::load_shared_memory(const kernel& kernel, std::uint64_t base) {
  if (!params_.data || kernel.header().shared_bytes == 0) return;
  probe_.begin_region(base, kernel.header().shared_bytes);
  std::vector<std::uint8_t> bytes;
  for (const trace::memory_image& image : kernel.header().shared_memory) {
    bytes.resize(image.content.bytes());
    copy_content(*this, image.content, 0, bytes.data(), bytes.size());
    if (!probe_.write(links::memory_user::outside, base + image.base, bytes.data(), bytes.size()))
      fabric::fault(fabric::report::memory_region, *this,
                    fmt::format("shared memory does not take {} bytes at {:#x} of {}", bytes.size(), base + image.base, kernel.file()));
  }
}

/// Gives a warp a slot with its context, its instructions and its preset registers.
const warp::warp_context& streaming_multiprocessor::admit(trace::warp_player player, const kernel& kernel, const trace::cta_entry& cta,
                                                          const sm_occupancy::place& place) {
  const unsigned s = player.warp() % sub_cores();
  const std::uint32_t slot = feeds_[s].free_slot();
  warp::warp_context& warp = contexts_[s][slot];
  warp.slot = slot;
  warp.kernel = kernel.number();
  warp.cta = kernel.linear_number(cta);
  warp.cta_slot = place.cta_slot;
  warp.warp_in_cta = player.warp();
  warp.cluster_rank = kernel.cluster_rank(cta);
  warp.peer_cta = kernel.peer_of(cta);
  warp.cta_id = {cta.x, cta.y, cta.z};
  warp.grid = coordinates_of(kernel.header().grid);
  warp.block = coordinates_of(kernel.header().block);
  warp.shared_base = place.shared_base;
  warp.shared_bytes = static_cast<std::uint32_t>(kernel.header().shared_bytes);
  warp.constants = &kernel.constants();
  warp.tensor_maps = &kernel.tensor_maps();
  warp.has_warpgroup_operations = kernel.has_warpgroup_operations();
  warp.is_executed = kernel.is_executed();

  sub_core_[s].clear_registers(slot);
  for (const trace::register_preset& preset : player.presets())
    sub_core_[s].preset_register(slot, preset.file, preset.index, preset.values);
  feeds_[s].load(slot, std::move(player));
  return warp;
}

const warp::warp_context* streaming_multiprocessor::warp_of(std::uint32_t cta) const {
  for (const resident_cta& each : ctas_)
    if (each.of != nullptr && each.number == cta && each.warps_left > 0) return each.warps[members(each.traced).front()];
  return nullptr;
}

std::optional<streaming_multiprocessor::cta_place> streaming_multiprocessor::find_cta(std::uint32_t cta) const {
  const resident_cta* found = nullptr;
  for (const resident_cta& each : ctas_)
    if (each.launch > 0 && each.number == cta && (found == nullptr || each.launch > found->launch)) found = &each;
  if (found == nullptr) return {};
  cta_place place = found->place;
  const auto takes_it = [&](const resident_cta& other) {
    return other.launch > found->launch && other.place.shared_base < place.shared_base + place.shared_bytes &&
           place.shared_base < other.place.shared_base + other.place.shared_bytes;
  };
  place.is_shared_intact = std::none_of(ctas_.begin(), ctas_.end(), takes_it);
  return place;
}

const warp::warp_context* streaming_multiprocessor::warp_in(unsigned sub_core, unsigned slot) const {
  const warp::warp_context& warp = contexts_[sub_core][slot];
  return warp.constants == nullptr ? nullptr : &warp;
}

const warp::warp_context* streaming_multiprocessor::find_warp(std::uint32_t kernel, std::uint32_t cta, unsigned warp) const {
  for (const warp::warp_context& each : contexts_[warp % sub_cores()])
    if (each.constants != nullptr && each.kernel == kernel && each.cta == cta && each.warp_in_cta == warp) return &each;
  return nullptr;
}

void streaming_multiprocessor::give_up() {
  if (barrier_unit_ != nullptr) barrier_unit_->let_go();
  if (warpgroup_feed_ != nullptr) warpgroup_feed_->let_go();
  if (tensor_memory_ != nullptr) tensor_memory_->let_go();
  for (subcore::sub_core& each : sub_core_) each.control->end_warps();
}

void streaming_multiprocessor::begin_kernel() {
  instruction_tags_.clear();
  constant_tags_.clear();
  for (subcore::sub_core& each : sub_core_) each.begin_kernel();
  if (barrier_unit_ != nullptr) barrier_unit_->begin_kernel();
  if (warpgroup_feed_ != nullptr) warpgroup_feed_->begin_kernel();
  if (tensor_memory_ != nullptr) tensor_memory_->begin_kernel();
}

void streaming_multiprocessor::release(std::uint32_t cta_slot) {
  resident_cta& cta = ctas_[cta_slot];
  for (const unsigned w : members(cta.traced)) feeds_[sub_core_of(*cta.warps[w])].unload(cta.warps[w]->slot);
  cta.of = nullptr;
  occupancy_.release(cta_slot);
}

void streaming_multiprocessor::barrier_arrival(const warp::warp_context& warp, const isa::barrier_arrival& arrival, cycle_t cycle) {
  resident_cta& cta = ctas_[warp.cta_slot];
  if (!cta.barrier.agrees(arrival)) {
    const auto threads = [](unsigned warps) {
      return warps == 0 ? "all threads" : fmt::format("{} threads", warps * warp::lanes_per_warp);
    };
    const cta_barrier::state& there = cta.barrier[arrival.barrier];
    fabric::fault(fabric::report::barrier_threads, *this, cycle,
                  fmt::format("warp {} of CTA {} arrives at barrier {} for {}, where warps {} wait for {}", warp.warp_in_cta, cta.number,
                              arrival.barrier, threads(arrival.warps), list_of(there.arrived), threads(there.expected)));
    return;
  }
  const cycle_t arrived = arrival.waits ? cycle : cycle + params_.machine.barrier.arrive_only_cycles;
  open_barrier(cta, cta.barrier.arrive(arrival, warp.warp_in_cta, arrived));
}

void streaming_multiprocessor::warp_exited(const warp::warp_context& warp, cycle_t cycle) {
  resident_cta& cta = ctas_[warp.cta_slot];
  open_barrier(cta, cta.barrier.exit(warp.warp_in_cta, cycle));
}

void streaming_multiprocessor::open_barrier(const resident_cta& cta, const cta_barrier::release& opened) {
  if (opened.warps == 0) return;
  ++barriers_opened_;
  for (const unsigned w : members(opened.warps)) {
    const warp::warp_context& warp = *cta.warps[w];
    sub_core_[sub_core_of(warp)].control->open_barrier(warp.slot, opened.cycle + params_.machine.barrier.release_cycles);
  }
}

void streaming_multiprocessor::warp_drained(const warp::warp_context& warp, cycle_t cycle) {
  recorder_.warp_finished(warp, sub_core_[sub_core_of(warp)].scheduler().accounting(warp.slot));
  if (tensor_memory_ != nullptr) sub_core_[sub_core_of(warp)].tensor_memory()->accesses.warp_ended(warp.slot);
  resident_cta& cta = ctas_[warp.cta_slot];
  sc_assert(cta.of != nullptr && cta.warps_left > 0);
  cta.drained = std::max(cta.drained, cycle);
  if (--cta.warps_left == 0) finish(warp.cta_slot);
}

void streaming_multiprocessor::finish(std::uint32_t cta_slot) {
  if (tensor_memory_ != nullptr) tensor_memory_->end_cta(cta_slot, ctas_[cta_slot].number);
  source->cta_finished(params_.number, cta_slot, ctas_[cta_slot].drained);
}

const sc_core::sc_object* streaming_multiprocessor::busy_unit() const {
  for (const subcore::sub_core& each : sub_core_)
    if (!each.idle()) return &each;
  if (barrier_unit_ != nullptr && !barrier_unit_->idle()) return barrier_unit_.get();
  if (bulk_copy_ != nullptr && !bulk_copy_->idle()) return bulk_copy_.get();
  if (warpgroup_feed_ != nullptr && !warpgroup_feed_->idle()) return warpgroup_feed_.get();
  return tensor_memory_ == nullptr ? nullptr : tensor_memory_->busy_unit();
}

bool streaming_multiprocessor::only_warps_wait() const {
  for (const subcore::sub_core& each : sub_core_)
    if (!each.has_nothing_in_flight()) return false;
  return (bulk_copy_ == nullptr || bulk_copy_->idle()) && (warpgroup_feed_ == nullptr || warpgroup_feed_->idle()) &&
         (tensor_memory_ == nullptr || tensor_memory_->busy_unit() == nullptr);
}

void streaming_multiprocessor::describe(std::vector<std::string>& lines) const {
  for (unsigned s = 0; s < sub_cores(); ++s) {
    for (unsigned slot = 0; slot < sub_core_[s].scheduler().warp_slots(); ++slot) {
      const std::string text = sub_core_[s].scheduler().describe(slot);
      if (!text.empty()) lines.push_back(fmt::format("{}: {}", sub_core_[s].name(), text));
    }
  }
  for (const resident_cta& cta : ctas_)
    if (cta.of != nullptr) describe_barriers(cta, lines);
  if (barrier_unit_ != nullptr) barrier_unit_->describe(lines);
  if (bulk_copy_ != nullptr) bulk_copy_->describe(lines);
  if (warpgroup_feed_ != nullptr) warpgroup_feed_->describe(lines);
  if (tensor_memory_ != nullptr) tensor_memory_->describe(lines);
}

void streaming_multiprocessor::describe_barriers(const resident_cta& cta, std::vector<std::string>& lines) const {
  for (unsigned b = 0; b < isa::barrier_arrival::barriers; ++b) {
    const cta_barrier::state& at = cta.barrier[b];
    if (at.arrivals == 0) continue;
    std::string text = fmt::format("{}: barrier {} of CTA {}: warps {} arrived; ", name(), b, cta.number, list_of(at.arrived));
    if (at.expected != 0) {
      lines.push_back(text + fmt::format("{} arrivals of {}", at.arrivals, at.expected));
      continue;
    }
    const warp_set missing = cta.barrier.missing(b), untraced = missing & ~cta.traced;
    text += fmt::format("missing: warps {}", list_of(missing));
    if (untraced != 0) text += fmt::format("; the trace does not hold warps {}", list_of(untraced));
    lines.push_back(std::move(text));
  }
}

void streaming_multiprocessor::reset() {
  instruction_tags_.clear();
  constant_tags_.clear();
  for (auto& contexts : contexts_) std::fill(contexts.begin(), contexts.end(), warp::warp_context{});
  std::fill(ctas_.begin(), ctas_.end(), resident_cta{});
  ctas_launched_ = warps_launched_ = barriers_opened_ = 0;
}

void streaming_multiprocessor::collect(fabric::statistics_sink& sink) const {
  sink.count("ctas", ctas_launched_, "CTAs", "CTAs launched");
  sink.count("warps", warps_launched_, "warps", "Warps launched");
  sink.count("barriers", barriers_opened_, "barriers", "CTA barriers that opened");
}

}  // namespace tc::device
