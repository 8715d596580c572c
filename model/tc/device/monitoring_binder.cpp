// SPDX-License-Identifier: Apache-2.0
#include "monitoring_binder.hpp"

#include <string>
#include <utility>

#include <tc/fabric/dataflow_monitor.hpp>
#include <tc/fabric/request_monitor.hpp>

namespace tc::device {

void monitoring_binder::bind(const char* link, subcore::link_initiator<memory_protocol>& from, subcore::link_target<memory_protocol>& to) {
  const std::string name = sc_core::sc_gen_unique_name((std::string(link) + "_monitor").c_str());
  fabric::base_protocol_monitor<>& monitor = *monitors_.emplace_back(std::make_unique<fabric::base_protocol_monitor<>>(name.c_str()));
  inner_.bind(link, from, monitor.target);
  monitor.initiator.bind(to);
}

template <template <class> class Monitor, class Protocol>
void monitoring_binder::watch(const char* link, subcore::link_initiator<Protocol>& from, subcore::link_target<Protocol>& to) {
  auto monitor = std::make_unique<Monitor<Protocol>>(sc_core::sc_gen_unique_name((std::string(link) + "_monitor").c_str()));
  inner_.bind(link, from, monitor->target);
  monitor->initiator.bind(to);
  dataflow_monitors_.push_back(std::move(monitor));
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::instruction_protocol>& from,
                             subcore::link_target<subcore::instruction_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::fragment_protocol>& from,
                             subcore::link_target<subcore::fragment_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::dot_product_protocol>& from,
                             subcore::link_target<subcore::dot_product_protocol>& to) {
  watch<fabric::request_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::warpgroup_request_protocol>& from,
                             subcore::link_target<subcore::warpgroup_request_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::warpgroup_operands_protocol>& from,
                             subcore::link_target<subcore::warpgroup_operands_protocol>& to) {
  watch<fabric::dataflow_monitor>(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::barrier_protocol>& from,
                             subcore::link_target<subcore::barrier_protocol>& to) {
  inner_.bind(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::bulk_copy_protocol>& from,
                             subcore::link_target<subcore::bulk_copy_protocol>& to) {
  inner_.bind(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::tensor_request_protocol>& from,
                             subcore::link_target<subcore::tensor_request_protocol>& to) {
  inner_.bind(link, from, to);
}

void monitoring_binder::bind(const char* link, subcore::link_initiator<subcore::allocation_protocol>& from,
                             subcore::link_target<subcore::allocation_protocol>& to) {
  inner_.bind(link, from, to);
}

std::uint64_t monitoring_binder::transactions() const {
  std::uint64_t sum = 0;
  for (const auto& monitor : monitors_) sum += monitor->transactions();
  return sum;
}

}  // namespace tc::device
