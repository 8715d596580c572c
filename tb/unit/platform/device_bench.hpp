// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/config/machine.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/platform/tcsim_device.h>
#include <tc/platform/tensor_core_device.hpp>

#include "stand_ins/random_memory.hpp"

namespace tc::platform::test {

/// A configuration with assignments as after `--set`.
config::machine machine_of(const std::string& preset, const std::vector<std::string>& assignments = {"sms=1"});

/// A device, a memory that answers as it likes, and what software sees of them. Between runs of SystemC the test is the software.
class device_bench final : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t ring = 0x1000, records = 0x4000, first_free = 0x10000;
  static constexpr std::uint32_t entries = 8;

  struct params {
    config::machine machine;
    timing mode = timing::approximate;
    unsigned sockets = 1;
    stand_ins::random_memory::params memory{};
    bool monitors = true;
    command_processor::params commands{};
  };

  tlm_utils::simple_initiator_socket<device_bench> software{"software"};
  sc_core::sc_signal<bool> interrupt{"interrupt"}, reset{"reset"};

  device_bench(const sc_core::sc_module_name& name, const params& parameters);
  ~device_bench() override;

  tensor_core_device& device() { return *device_; }
  stand_ins::random_memory& memory() { return *memory_; }

  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  bool status(std::uint32_t mask) { return (read(TCSIM_REG_STATUS) & mask) != 0; }
  bool cause(std::uint32_t mask) { return (read(TCSIM_REG_INTERRUPT_CAUSE) & mask) != 0; }
  /// How the bus answers an access of so many bytes.
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes);

  void put(std::uint64_t address, const void* data, std::size_t bytes);
  void get(std::uint64_t address, void* data, std::size_t bytes);

  /// Ring of eight entries, commands on.
  void start();
  /// A descriptor with the fields that all have; the completion record lies at record_of(identifier).
  template <class Descriptor>
  static Descriptor descriptor(std::uint32_t opcode, std::uint32_t identifier) {
    Descriptor command;
    std::memset(&command, 0, sizeof command);
    command.opcode = opcode;
    command.identifier = identifier;
    command.completion = record_of(identifier);
    return command;
  }
  static std::uint64_t record_of(std::uint32_t identifier) { return records + TCSIM_COMPLETION_BYTES * identifier; }
  /// Writes a descriptor behind the last one.
  template <class Descriptor>
  void queue(const Descriptor& command) {
    put(ring + TCSIM_DESCRIPTOR_BYTES * tail_, &command, sizeof command);
    tail_ = (tail_ + 1) % entries;
  }
  void ring_doorbell() { write(TCSIM_REG_TAIL, tail_); }
  /// Runs SystemC until nothing happens any more.
  void run();
  tcsim_completion_record record(std::uint32_t identifier);
  /// Queues a command, runs it, and returns its record.
  template <class Descriptor>
  tcsim_completion_record execute(const Descriptor& command) {
    queue(command);
    ring_doorbell();
    run();
    return record(command.identifier);
  }
  template <class Descriptor>
  std::uint32_t status_of(const Descriptor& command) {
    return execute(command).status;
  }

 private:
  std::unique_ptr<tensor_core_device> device_;
  std::unique_ptr<stand_ins::random_memory> memory_;
  std::vector<std::unique_ptr<fabric::base_protocol_monitor<>>> monitors_;
  std::uint32_t tail_ = 0;
};

/// Warnings of these types are expected: nothing is printed, and the test goes on.
void expect_warnings();

/// A product of small integers, which is exact in every precision, at addresses of a bench's memory.
struct gemm_case {
  std::string name, preset;
  unsigned precision = TCSIM_PRECISION_F16, instructions = TCSIM_INSTRUCTIONS_MMA;
  unsigned m = 0, n = 0, k = 0;
};
void PrintTo(const gemm_case& test, std::ostream* out);

/// The smallest product, on a machine that is built fast; and small ones of warpgroups and on tensor memory.
gemm_case small_gemm();
gemm_case warpgroup_gemm();
gemm_case pointwise_gemm();

/// The descriptor of a product whose matrices lie from an address on.
tcsim_gemm descriptor_of(const gemm_case& test, std::uint32_t identifier, std::uint64_t base = device_bench::first_free);
/// Writes A and B, of which there is one for each seed, and something else over D.
void write_matrices(device_bench& bench, const tcsim_gemm& gemm, int seed);
/// Elements of D that are not the product.
unsigned wrong_elements(device_bench& bench, const tcsim_gemm& gemm, int seed);

}  // namespace tc::platform::test
