// SPDX-License-Identifier: Apache-2.0
#include "operand_fetch_policies.hpp"

#include <utility>

#include <tc/links/named_makers.hpp>
#include <tc/subcore/operands/operand_collector.hpp>
#include <tc/subcore/operands/port_reservation.hpp>

namespace tc::subcore {

namespace {

std::unique_ptr<operand_fetch> make_port_reservation(const char* name, const operand_fetch_site& site) {
  const config::operand_fetch_parameters& fetch = site.machine.operand_fetch;
  port_reservation::params parameters;
  parameters.read_ports = site.machine.register_file.read_ports;
  parameters.read_window_cycles = fetch.read_window_cycles;
  parameters.issue_to_dispatch_cycles = fetch.issue_to_dispatch_cycles;
  parameters.tensor_lead_cycles = site.machine.tensor_core.operand_lead_cycles;
  parameters.matrix_ports = fetch.matrix_ports;
  parameters.matrix_write_cycles = fetch.matrix_write_cycles;
  parameters.matrix_integer_write_cycles = fetch.matrix_integer_write_cycles;
  const config::bypass_parameters& bypass = site.machine.bypass;
  parameters.other_pipe_cycles = bypass.other_pipe_cycles;
  parameters.guard_lead_cycles = bypass.guard_lead_cycles;
  operand_fetch::surroundings around = site.around;
  around.late = {bypass.wide_addend_cycles, bypass.store_data_cycles, bypass.double_conversion_cycles};
  return std::make_unique<port_reservation>(name, parameters, around);
}

std::unique_ptr<operand_fetch> make_collectors(const char* name, const operand_fetch_site& site) {
  const config::operand_fetch_parameters& fetch = site.machine.operand_fetch;
  auto collector = std::make_unique<operand_collector>(
      name, operand_collector::params{fetch.collector_units, fetch.issue_to_dispatch_cycles}, site.around);
  collector->scheduler.bind(site.scheduler);
  return collector;
}

std::unique_ptr<operand_fetch> make_automatic(const char* name, const operand_fetch_site& site) {
  return site.machine.operand_fetch.collector_units > 0 ? make_collectors(name, site) : make_port_reservation(name, site);
}

links::named_makers<operand_fetch_maker>& policies() {
  static links::named_makers<operand_fetch_maker> table(
      "an operand-fetch policy", "sm.sub_core.operand_fetch.policy",
      {{"automatic", make_automatic}, {"port_reservation", make_port_reservation}, {"collectors", make_collectors}});
  return table;
}

}  // namespace

void add_operand_fetch_policy(const std::string& name, operand_fetch_maker maker) { policies().add(name, std::move(maker)); }

void require_operand_fetch_policy(const std::string& name) { policies().find(name); }

std::unique_ptr<operand_fetch> make_operand_fetch(const char* name, const operand_fetch_site& site) {
  return policies().find(site.machine.operand_fetch.policy)(name, site);
}

}  // namespace tc::subcore
