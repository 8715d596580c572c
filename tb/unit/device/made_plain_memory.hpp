// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include <tc/links/unit_makers.hpp>

#include "stand_ins/plain_memory.hpp"

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

}  // namespace tc::device::test
