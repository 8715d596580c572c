// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/dataflow_monitors.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/memory/global_memory.hpp>
#include <tc/memory/shared_memory.hpp>
#include <tc/memory/shared_memory_adapter.hpp>
#include <tc/subcore/pipes/load_store_unit.hpp>

#include "shared_memory_peer.hpp"
#include "stand_ins/plain_memory.hpp"
#include "statistics_of.hpp"

namespace tc::subcore::test {

/// A different value for each word of shared and global memory.
inline unsigned word_pattern(std::uint64_t byte) { return static_cast<unsigned>(byte / 4 * 2654435761U >> (8 * (byte % 4))); }
inline std::uint32_t word_of(std::uint64_t address) { return static_cast<std::uint32_t>(address / 4 * 2654435761U); }

// Cycles, by the defaults of the parameters.
inline constexpr cycle_t shared_access = 2, shared_pipeline = 21, shared_register = 1, wavefront = 1, warp_wavefront = 2, load_matrix = 0;
inline constexpr cycle_t global_access = 4, global_pipeline = 20, global_register = 2;

/// Cycles of an access to shared memory by its wavefronts.
constexpr cycle_t shared_cycles(unsigned wavefronts) { return shared_pipeline + wavefront + warp_wavefront * (wavefronts - 1); }

/// Stands for the operand fetch and the write-back around one load-store unit.
class load_store_peer final : public sc_core::sc_module {
 public:
  links::instruction_initiator<load_store_peer> dispatch{"dispatch"};
  links::instruction_target<load_store_peer> result{"result"};
  std::vector<links::warp_instruction*> results;  ///< in the order in which they came

  load_store_peer(const sc_core::sc_module_name& name, fabric::clock_domain& clock) : sc_module(name), clock_(clock) {
    result.register_nb_transport_fw(this, &load_store_peer::take);
  }

  void send(links::warp_instruction& instruction, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum answer = dispatch->nb_transport_fw(instruction, phase, delay);
    sc_assert(answer == tlm::TLM_COMPLETED);
  }

 private:
  tlm::tlm_sync_enum take(links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time& delay) {
    sc_assert(delay == sc_core::SC_ZERO_TIME && clock_.time_of(instruction.result) >= sc_core::sc_time_stamp());
    results.push_back(&instruction);
    return tlm::TLM_COMPLETED;
  }

  fabric::clock_domain& clock_;
};

/// A load-store unit with monitors on its links to the memories.
class load_store_station final : public sc_core::sc_module {
 public:
  load_store_unit unit;
  load_store_peer peer;
  fabric::request_monitor<links::shared_memory_protocol> shared_monitor{"shared_monitor"};
  fabric::base_protocol_monitor<> global_monitor{"global_monitor"};

  load_store_station(const sc_core::sc_module_name& name, const load_store_unit::params& parameters, fabric::clock_domain& clock)
      : sc_module(name), unit("unit", parameters, clock), peer("peer", clock) {
    peer.dispatch.bind(unit.dispatch);
    unit.result.bind(peer.result);
    unit.shared.bind(shared_monitor.target);
    unit.global.bind(global_monitor.target);
  }
};

struct bench_options {
  bool data = true;
  unsigned stations = 1;
  bool last_is_first = false;  ///< the last station has the memories' first links; units run in the order of the stations
  std::optional<stand_ins::plain_memory::params> stand_in{};  ///< memories of another make in the place of both
};

/// A shared memory of another make, with a monitor in front of it, as a load-store unit reaches it.
struct foreign_link {
  foreign_link(unsigned number, bool data, fabric::clock_domain& clock, stand_ins::plain_memory& memory)
      : adapter(("adapter_" + std::to_string(number)).c_str(), data, clock), monitor(("monitor_" + std::to_string(number)).c_str()) {
    adapter.memory.bind(monitor.target);
    monitor.initiator.bind(memory.port[number].socket);
  }

  memory::shared_memory_adapter adapter;
  fabric::base_protocol_monitor<> monitor;
};

/// Load-store units, a shared memory of 16 KiB and a global memory of 64 KiB from 0x10000 on, on a clock of 1 ns.
class load_store_bench {
 public:
  static constexpr cycle_t issue_to_dispatch = 6, global_latency = 100;
  static constexpr std::uint64_t global_base = 0x10000;

  explicit load_store_bench(const bench_options& options = {})
      : shared("shared", shared_params(options.data)), global("global", global_params(options.data), clock) {
    if (options.stand_in) {
      stand_ins::plain_memory::params memory = *options.stand_in;
      memory.ports = options.stations + 1;
      foreign_shared = std::make_unique<stand_ins::plain_memory>("foreign_shared", memory);
      foreign_global = std::make_unique<stand_ins::plain_memory>("foreign_global", memory);
    }
    for (unsigned i = 0; i < options.stations; ++i)
      stations.push_back(std::make_unique<load_store_station>(("station_" + std::to_string(i)).c_str(), unit_params(options.data), clock));
    for (unsigned i = 0; i < options.stations; ++i) {
      load_store_station& station = *stations[options.last_is_first ? options.stations - 1 - i : i];
      bind_shared(station.shared_monitor.initiator, options.data, i);
      station.global_monitor.initiator.bind(end_of(global.port, foreign_global.get(), i));
    }
    bind_shared(shared_view_.link, options.data, options.stations);
    global_view_.socket.bind(end_of(global.port, foreign_global.get(), options.stations));
    global.add_region(global_base, 0x10000);
    warp.shared_bytes = 8192;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  ~load_store_bench() {
    for (const auto& station : stations) {
      if (was_aborted) continue;
      station->global_monitor.check_end();
    }
    for (const auto& link : foreign_links)
      if (!was_aborted) link->monitor.check_end();
  }

  load_store_unit& unit(unsigned station = 0) { return stations[station]->unit; }
  std::vector<links::warp_instruction*>& results(unsigned station = 0) { return stations[station]->peer.results; }

  /// An instruction with an address for each lane; it is not sent yet.
  links::warp_instruction& make(const std::string& text, const std::function<std::uint64_t(unsigned lane)>& address = {},
                                std::uint32_t mask = 0xffffffff) {
    codes_.push_back(isa::parse_operation(text, isa::architecture::sm_90));
    instructions_.push_back(std::make_unique<links::warp_instruction>());
    links::warp_instruction& instruction = *instructions_.back();
    instruction.step.code = &codes_.back();
    instruction.step.mask = mask;
    instruction.step.line = static_cast<std::uint32_t>(100 + instructions_.size());
    instruction.warp = &warp;
    for (unsigned lane = 0; lane < warp::lanes_per_warp && address; ++lane) instruction.step.addresses[lane] = address(lane);
    return instruction;
  }

  /// Gives register `i` of a source operand its values.
  static void set_source(links::warp_instruction& instruction, unsigned source, unsigned i,
                         const std::function<std::uint32_t(unsigned lane)>& value) {
    links::source_value& operand = instruction.sources[source];
    if (i >= operand.count) operand.count = static_cast<std::uint8_t>(i + 1);
    operand.position[i] = static_cast<std::uint8_t>(8 * source + i);
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) instruction.room_for_operand(source, i)[lane] = value(lane);
  }

  /// Issues an instruction now; its operands arrive in `dispatch` cycles.
  void issue(links::warp_instruction& instruction, unsigned station = 0) {
    instruction.issued = clock.cycle();
    instruction.dispatch = instruction.issued + issue_to_dispatch;
    stations[station]->peer.send(instruction, tlm::BEGIN_REQ);
  }
  void operands_ready(links::warp_instruction& instruction, unsigned station = 0) {
    stations[station]->peer.send(instruction, links::OPERANDS_READY);
  }

  void run_to(cycle_t cycle) { sc_core::sc_start(clock.time_of(cycle) - sc_core::sc_time_stamp()); }

  /// Sends one instruction through the unit and waits for its result; returns the cycles from its dispatch to its result.
  cycle_t execute(links::warp_instruction& instruction, unsigned station = 0) {
    const std::size_t before = results(station).size();
    issue(instruction, station);
    run_to(instruction.dispatch);
    operands_ready(instruction, station);
    while (results(station).size() == before && clock.cycle() < instruction.dispatch + 100000) run_to(clock.cycle() + 100);
    sc_assert(results(station).size() == before + 1 && results(station).back() == &instruction);
    run_to(std::max<cycle_t>(clock.cycle(), instruction.result) + 1);
    return instruction.result - instruction.dispatch;
  }

  /// Fills shared memory: byte i of it is `value(i)`.
  void fill_shared(const std::function<unsigned(std::uint64_t)>& value, std::uint64_t bytes = 16384) {
    std::vector<unsigned char> content(bytes);
    for (std::uint64_t i = 0; i < bytes; ++i) content[i] = static_cast<unsigned char>(value(i));
    const bool is_taken = shared_view_.link.write(links::memory_user::outside, 0, content.data(), bytes);
    sc_assert(is_taken);
  }
  void fill_global(const std::function<unsigned(std::uint64_t)>& value) { fill(global_view_, global_base, value, 0x10000); }
  std::uint32_t shared_word(std::uint64_t address) {
    std::array<unsigned char, 4> bytes{};
    const bool is_read = shared_view_.link.read(links::memory_user::outside, address, bytes.data(), 4);
    sc_assert(is_read);
    return word_from(bytes);
  }
  std::uint32_t global_word(std::uint64_t address) { return word(global_view_, address); }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  memory::shared_memory shared;
  memory::global_memory global;
  std::unique_ptr<stand_ins::plain_memory> foreign_shared, foreign_global;  ///< null unless bench_options::stand_in
  std::vector<std::unique_ptr<foreign_link>> foreign_links;                 ///< to the foreign shared memory, by station
  std::vector<std::unique_ptr<load_store_station>> stations;
  warp::warp_context warp;
  bool was_aborted = false;  ///< an error ended a call early, and left transactions open

 private:
  static memory::shared_memory::params shared_params(bool data) {
    memory::shared_memory::params p;
    p.memory.bytes = 16384;
    p.data = data;
    return p;
  }
  static memory::global_memory::params global_params(bool data) {
    memory::global_memory::params p;
    p.memory.latency_cycles = global_latency;
    p.data = data;
    return p;
  }
  static load_store_unit::params unit_params(bool data) {
    load_store_unit::params p;
    p.data = data;
    return p;
  }

  /// A link of the test's own to a memory.
  struct view final : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<view> socket{"socket"};
    explicit view(const sc_core::sc_module_name& name) : sc_module(name) {}
  };

  void bind_shared(links::link_initiator<links::shared_memory_protocol>& from, bool data, unsigned number) {
    if (foreign_shared == nullptr) return from.bind(shared.port);
    foreign_links.push_back(std::make_unique<foreign_link>(number, data, clock, *foreign_shared));
    from.bind(foreign_links.back()->adapter.port);
  }

  using link_end = links::link_target<tlm::tlm_base_protocol_types>;
  static link_end& end_of(link_end& own, stand_ins::plain_memory* foreign, unsigned port) {
    return foreign == nullptr ? own : foreign->port[port].socket;
  }

  static void fill(view& to, std::uint64_t base, const std::function<unsigned(std::uint64_t)>& value, std::uint64_t bytes) {
    std::vector<unsigned char> content(bytes);
    for (std::uint64_t i = 0; i < bytes; ++i) content[i] = static_cast<unsigned char>(value(i));
    debug(to, tlm::TLM_WRITE_COMMAND, base, content.data(), static_cast<unsigned>(bytes));
  }

  static void debug(view& from, tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    fabric::set_attributes(payload, command, address, data, bytes);
    const unsigned moved = from.socket->transport_dbg(payload);
    sc_assert(moved == bytes);
  }

  static std::uint32_t word(view& from, std::uint64_t address) {
    std::array<unsigned char, 4> bytes{};
    debug(from, tlm::TLM_READ_COMMAND, address, bytes.data(), 4);
    return word_from(bytes);
  }
  static std::uint32_t word_from(const std::array<unsigned char, 4>& bytes) {
    return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
  }

  tc::test::shared_memory_peer shared_view_{"shared_view"};
  view global_view_{"global_view"};
  std::deque<isa::instruction> codes_;
  std::vector<std::unique_ptr<links::warp_instruction>> instructions_;
};

}  // namespace tc::subcore::test
