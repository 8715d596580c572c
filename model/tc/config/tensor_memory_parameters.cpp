// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory_parameters.hpp"

#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

/// Bytes of a register of a warp, or of a column of 32 lanes.
constexpr unsigned register_bytes = 128;

void require_registers(unsigned bytes, const std::string& path, const char* member) {
  require(bytes > 0 && bytes % register_bytes == 0 && bytes <= 8 * register_bytes, member_path(path, member),
          "must be a multiple of 128 from 128 to 1024");
}

}  // namespace

void validate(const tensor_shift_parameters& parameters, const std::string& path) {
  require_at_most(parameters.interval_cycles, 1000, path, "interval_cycles");
  require_at_most(parameters.completion_cycles, 10000, path, "completion_cycles");
}

void validate(const tensor_admission_parameters& parameters, const std::string& path) {
  require(parameters.instructions > 0 && parameters.instructions <= 16, member_path(path, "instructions"), "must be from 1 to 16");
  require(parameters.cycles > 0 && parameters.cycles <= 1000, member_path(path, "cycles"), "must be from 1 to 1000");
}

void validate(const tensor_allocation_parameters& parameters, const std::string& path) {
  require_positive(parameters.cycles, path, "cycles");
  require(parameters.contended_cycles >= parameters.cycles && parameters.contended_cycles <= 1000000, member_path(path, "contended_cycles"),
          "must be from the cycles of an allocation without contention to 1000000");
}

void validate(const tensor_memory_parameters& parameters, const std::string& path) {
  require(parameters.columns % 32 == 0 && parameters.columns <= 512, member_path(path, "columns"),
          "must be a multiple of 32 of at most 512");
  require_registers(parameters.bytes_per_cycle, path, "bytes_per_cycle");
  require_registers(parameters.engine_bytes_per_cycle, path, "engine_bytes_per_cycle");
  require_at_most(parameters.latency_cycles, 1000, path, "latency_cycles");
}

}  // namespace tc::config
