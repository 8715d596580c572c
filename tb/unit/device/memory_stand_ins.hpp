// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <tc/device/run_options.hpp>
#include <tc/links/unit_makers.hpp>

#include "stand_ins/plain_memory.hpp"
#include "stand_ins/random_memory.hpp"
#include "stand_ins/replacing_binder.hpp"

namespace tc::device::test {

/// A plain memory in the place of a unit of the machine, with a port for each of its links. `parameters.styles`: of the first of them.
template <class Site>
links::made_memory made_plain_memory(const char* name, const Site& site, stand_ins::plain_memory::params parameters) {
  parameters.ports = site.sockets();
  if (!parameters.styles.empty()) parameters.styles.resize(parameters.ports, stand_ins::answer_style::completed);
  auto memory = std::make_unique<stand_ins::plain_memory>(name, parameters);
  links::made_memory made;
  for (auto& port : memory->port) made.sockets.push_back(&port.socket);
  made.module = std::move(memory);
  return made;
}

/// A global memory that answers as it likes, in the place of the machine's.
class random_global_memory {
 public:
  /// As many ports as the machine has links to global memory, the probe's included.
  explicit random_global_memory(const stand_ins::random_memory::params& parameters) : memory_("memory", parameters) {
    binder_.memory = [this](const std::string& link, const std::string&) {
      return link == "global_memory" ? ends{nullptr, &memory_.port[links_++].socket} : ends{};
    };
    options_.binder = &binder_;
  }

  /// Of a machine with this memory, which must outlive it.
  const run_options& options() const { return options_; }

 private:
  using ends = stand_ins::replacing_binder::ends<links::link_binder::memory_protocol>;

  stand_ins::random_memory memory_;
  stand_ins::replacing_binder binder_;
  run_options options_;
  unsigned links_ = 0;
};

}  // namespace tc::device::test
