// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/device/run_options.hpp>

#include "stand_ins/random_memory.hpp"
#include "stand_ins/replacing_binder.hpp"

namespace tc::device::test {

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
