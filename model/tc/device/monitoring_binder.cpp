// SPDX-License-Identifier: Apache-2.0
#include "monitoring_binder.hpp"

#include <string>
#include <utility>

#include <tc/fabric/dataflow_monitors.hpp>

namespace tc::device {

void monitoring_binder::bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) {
  const std::string name = sc_core::sc_gen_unique_name((std::string(link) + "_monitor").c_str());
  fabric::base_protocol_monitor<>& monitor = *monitors_.emplace_back(std::make_unique<fabric::base_protocol_monitor<>>(name.c_str()));
  inner_.bind(link, from, monitor.target);
  monitor.initiator.bind(to);
}

template <template <class> class Monitor, class Protocol>
void monitoring_binder::watch(const char* link, links::link_initiator<Protocol>& from, links::link_target<Protocol>& to) {
  auto monitor = std::make_unique<Monitor<Protocol>>(sc_core::sc_gen_unique_name((std::string(link) + "_monitor").c_str()));
  inner_.bind(link, from, monitor->target);
  monitor->initiator.bind(to);
  counts_.push_back([&watching = *monitor] { return watching.transactions(); });
  dataflow_monitors_.push_back(std::move(monitor));
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
                             links::link_target<links::instruction_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::bank_protocol>& from,
                             links::link_target<links::bank_protocol>& to) {
  watch<fabric::request_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::shared_memory_protocol>& from,
                             links::link_target<links::shared_memory_protocol>& to) {
  watch<fabric::request_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::b_tile_protocol>& from,
                             links::link_target<links::b_tile_protocol>& to) {
  watch<fabric::request_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
                             links::link_target<links::fragment_protocol>& to) {
  watch<fabric::request_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
                             links::link_target<links::dot_product_protocol>& to) {
  watch<fabric::request_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::warpgroup_request_protocol>& from,
                             links::link_target<links::warpgroup_request_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::warpgroup_operands_protocol>& from,
                             links::link_target<links::warpgroup_operands_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::barrier_protocol>& from,
                             links::link_target<links::barrier_protocol>& to) {
  inner_.bind(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::bulk_copy_protocol>& from,
                             links::link_target<links::bulk_copy_protocol>& to) {
  inner_.bind(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::tensor_request_protocol>& from,
                             links::link_target<links::tensor_request_protocol>& to) {
  inner_.bind(link, from, to);
}

void monitoring_binder::bind(const char* link, links::link_initiator<links::allocation_protocol>& from,
                             links::link_target<links::allocation_protocol>& to) {
  inner_.bind(link, from, to);
}

std::uint64_t monitoring_binder::transactions() const {
  std::uint64_t sum = 0;
  for (const auto& monitor : monitors_) sum += monitor->transactions();
  for (const auto& count : counts_) sum += count();
  return sum;
}

}  // namespace tc::device
