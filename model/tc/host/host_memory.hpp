// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>

#include <tc/host/tcsim.h>
#include <tc/memory/memory_target.hpp>
#include <tc/memory/paged_storage.hpp>

namespace tc::host {

/// The memory of a device that a C program drives: its own, or the program's behind callbacks. Each access takes the same time.
class host_memory final : public sc_core::sc_module {
 public:
  memory::memory_target port;

  /// `options`: those of memory; a size of 0 means 4 GiB.
  host_memory(const sc_core::sc_module_name& name, const tcsim_options& options);
  ~host_memory() override;

  /// Moves bytes in no time; false if the memory does not have them all.
  bool read(std::uint64_t address, std::uint8_t* data, std::size_t bytes);
  bool write(std::uint64_t address, const std::uint8_t* data, std::size_t bytes);
  /// A callback of the program's is moving bytes.
  bool is_asking() const { return is_asking_; }

 private:
  template <class Callback, class Data>
  bool ask(Callback* callback, std::uint64_t address, Data* data, std::size_t bytes);
  bool execute(tlm::tlm_generic_payload& payload);

  const tcsim_options options_;
  const sc_core::sc_time latency_;
  memory::paged_storage storage_;
  bool is_asking_ = false;
};

}  // namespace tc::host
