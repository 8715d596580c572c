// SPDX-License-Identifier: Apache-2.0
#include "device_bench.hpp"

#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/platform/device_reports.hpp>

namespace tc::platform::test {
namespace {

tensor_core_device::params params_of(const device_bench::params& parameters) {
  tensor_core_device::params device;
  device.machine = parameters.machine;
  device.timing_of_preset = true;
  device.monitors = parameters.monitors;
  device.memory.sockets = parameters.sockets;
  device.memory.mode = parameters.mode;
  device.memory.quantum = {1, sc_core::SC_US};
  device.commands = parameters.commands;
  return device;
}

stand_ins::random_memory::params memory_of(const device_bench::params& parameters) {
  stand_ins::random_memory::params memory = parameters.memory;
  memory.ports = parameters.sockets;
  memory.direct = parameters.mode == timing::loose;
  return memory;
}

}  // namespace

config::machine machine_of(const std::string& preset, const std::vector<std::string>& assignments) {
  return config::load_machine(std::filesystem::path(TC_SOURCE_DIR) / "configs" / (preset + ".json"), assignments);
}

void expect_warnings() {
  for (const char* type : {report::device_command, report::device_queue})
    sc_core::sc_report_handler::set_actions(type, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
}

device_bench::device_bench(const sc_core::sc_module_name& module_name, const params& parameters) : sc_module(module_name) {
  sc_core::sc_report_handler::set_actions(report::device_clock, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  device_ = std::make_unique<tensor_core_device>("device", params_of(parameters));
  memory_ = std::make_unique<stand_ins::random_memory>("memory", memory_of(parameters));
  software.bind(device_->control);
  device_->interrupt(interrupt);
  device_->reset(reset);
  for (unsigned i = 0; i < parameters.sockets; ++i) {
    monitors_.push_back(std::make_unique<fabric::base_protocol_monitor<>>(sc_core::sc_gen_unique_name("monitor")));
    device_->memory().bus[i].bind(monitors_.back()->target);
    monitors_.back()->initiator.bind(memory_->port[i].socket);
  }
}

device_bench::~device_bench() = default;

tlm::tlm_response_status device_bench::access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, command, address, static_cast<unsigned char*>(data), bytes);
  sc_core::sc_time delay;
  software->b_transport(payload, delay);
  EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  return payload.get_response_status();
}

std::uint32_t device_bench::read(std::uint32_t offset) {
  std::uint32_t value = 0;
  EXPECT_EQ(access(tlm::TLM_READ_COMMAND, offset, &value, sizeof value), tlm::TLM_OK_RESPONSE);
  return value;
}

void device_bench::write(std::uint32_t offset, std::uint32_t value) {
  EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value), tlm::TLM_OK_RESPONSE);
}

void device_bench::put(std::uint64_t address, const void* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) memory_->at(address + i) = static_cast<const unsigned char*>(data)[i];
}

void device_bench::get(std::uint64_t address, void* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) static_cast<unsigned char*>(data)[i] = memory_->at(address + i);
}

void device_bench::start() {
  tail_ = 0;
  write(TCSIM_REG_RING_BASE_LOW, ring);
  write(TCSIM_REG_RING_ENTRIES, entries);
  write(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE);
}

void device_bench::run() {
  sc_core::sc_start();
  EXPECT_TRUE(device_->idle());
  EXPECT_TRUE(status(TCSIM_STATUS_IDLE));
}

tcsim_completion_record device_bench::record(std::uint32_t identifier) {
  tcsim_completion_record result;
  get(record_of(identifier), &result, sizeof result);
  return result;
}

namespace {

bool is_byte(const tcsim_gemm& gemm) { return gemm.precision == TCSIM_PRECISION_S8; }

int element(std::size_t i, int seed) { return static_cast<int>((i * 5 + i / 7 + static_cast<unsigned>(seed)) % 5) - 2; }

std::uint16_t half_of(int value) { return static_cast<std::uint16_t>(numerics::encode(value, isa::format_of(isa::element_type::f16))); }

std::vector<unsigned char> matrix(std::size_t elements, int seed, bool bytes) {
  std::vector<unsigned char> content;
  for (std::size_t i = 0; i < elements; ++i) {
    const unsigned bits = bytes ? static_cast<unsigned>(element(i, seed)) : half_of(element(i, seed));
    content.push_back(static_cast<unsigned char>(bits));
    if (!bytes) content.push_back(static_cast<unsigned char>(bits >> 8));
  }
  return content;
}

unsigned result_bytes(const tcsim_gemm& gemm) { return gemm.precision == TCSIM_PRECISION_F16 ? 2 : 4; }

/// A sum as an element of D.
std::uint32_t bits_of(int sum, const tcsim_gemm& gemm) {
  if (gemm.precision == TCSIM_PRECISION_F16) return half_of(sum);
  if (is_byte(gemm)) return static_cast<std::uint32_t>(sum);
  const auto value = static_cast<float>(sum);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

void PrintTo(const gemm_case& test, std::ostream* out) { *out << test.name; }

gemm_case small_gemm() { return {"small", "volta", TCSIM_PRECISION_F16, TCSIM_INSTRUCTIONS_MMA, 16, 16, 16}; }

gemm_case warpgroup_gemm() { return {"hopper_wgmma", "hopper", TCSIM_PRECISION_MIXED, TCSIM_INSTRUCTIONS_WGMMA, 64, 32, 64}; }
gemm_case pointwise_gemm() { return {"blackwell", "blackwell", TCSIM_PRECISION_MIXED, TCSIM_INSTRUCTIONS_MMA, 40, 16, 32}; }

tcsim_gemm descriptor_of(const gemm_case& test, std::uint32_t identifier, std::uint64_t base) {
  auto gemm = device_bench::descriptor<tcsim_gemm>(TCSIM_OPCODE_GEMM, identifier);
  gemm.precision = test.precision;
  gemm.instructions = test.instructions;
  gemm.m = test.m;
  gemm.n = test.n;
  gemm.k = test.k;
  const unsigned bytes = is_byte(gemm) ? 1 : 2;
  gemm.a = base;
  gemm.b = gemm.a + bytes * test.m * test.k;
  gemm.d = gemm.b + bytes * test.n * test.k;
  return gemm;
}

void write_matrices(device_bench& bench, const tcsim_gemm& gemm, int seed) {
  const auto a = matrix(std::size_t{gemm.m} * gemm.k, seed, is_byte(gemm)),
             b = matrix(std::size_t{gemm.n} * gemm.k, seed + 3, is_byte(gemm));
  const std::vector<unsigned char> d(std::size_t{gemm.m} * gemm.n * result_bytes(gemm), 0xee);
  bench.put(gemm.a, a.data(), a.size());
  bench.put(gemm.b, b.data(), b.size());
  bench.put(gemm.d, d.data(), d.size());
}

unsigned wrong_elements(device_bench& bench, const tcsim_gemm& gemm, int seed) {
  unsigned wrong = 0;
  for (std::size_t i = 0; i < gemm.m; ++i)
    for (std::size_t j = 0; j < gemm.n; ++j) {
      int sum = 0;
      for (std::size_t k = 0; k < gemm.k; ++k) sum += element(i * gemm.k + k, seed) * element(j * gemm.k + k, seed + 3);
      std::uint32_t got = 0;
      bench.get(gemm.d + (i * gemm.n + j) * result_bytes(gemm), &got, result_bytes(gemm));
      wrong += got != bits_of(sum, gemm);
    }
  return wrong;
}

}  // namespace tc::platform::test
